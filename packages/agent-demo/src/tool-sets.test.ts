/** Tool sets that the demo AI has never seen: which tool it picks and with what arguments, asked as people ask. */
import { fakePageTools, type FakeTool } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { ask, openDemo } from './ask.fixture.js'

interface Case {
  tools: Record<string, FakeTool>
  /** Question → the calls it should make, in sequence. */
  asks: [string, ...[name: string, args: unknown][]][]
}

const text = (about = ''): object => ({ type: 'string', description: about })
const object = (properties: object, required: string[] = Object.keys(properties)): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
})
const tool = (description: string, properties: object = {}, required = Object.keys(properties)): FakeTool => ({
  description,
  inputSchema: object(properties, required),
})

const SETS: Record<string, Case> = {
  'a lamp with enums and bounds': {
    tools: {
      set_light: tool('Sets the light of a room.', {
        room: { enum: ['kitchen', 'living room', 'bedroom'] },
        brightness: { type: 'integer', minimum: 0, maximum: 100 },
      }),
      list_rooms: tool('Lists the rooms and whether their light is on.'),
    },
    asks: [
      ['Set the light in the living room to 40 percent', ['set_light', { room: 'living room', brightness: 40 }]],
      ['Which rooms are there?', ['list_rooms', {}]],
    ],
  },
  'a switch': {
    tools: { turn_heating: tool('Turns the heating on or off.', { on: { type: 'boolean' } }) },
    asks: [
      ['Please turn the heating off', ['turn_heating', { on: false }]],
      ['Turn on the heating', ['turn_heating', { on: true }]],
    ],
  },
  'a timer in minutes': {
    tools: {
      start_timer: tool('Starts a timer.', { minutes: { type: 'integer', minimum: 1 }, label: text() }, ['minutes']),
      stop_timer: tool('Stops the running timer.'),
    },
    asks: [
      ['Start a timer for 10 minutes', ['start_timer', { minutes: 10 }]],
      ['Start a timer for twelve minutes called Pasta', ['start_timer', { minutes: 12, label: 'Pasta' }]],
      ['stop the timer', ['stop_timer', {}]],
    ],
  },
  'currencies from one list': {
    tools: {
      convert_currency: tool('Converts an amount of money between currencies.', {
        amount: { type: 'number' },
        from: { enum: ['USD', 'EUR', 'JPY'] },
        to: { enum: ['USD', 'EUR', 'JPY'] },
      }),
    },
    asks: [
      ['Convert 100.50 USD to EUR', ['convert_currency', { amount: 100.5, from: 'USD', to: 'EUR' }]],
      ['How much is 1,200 yen, JPY to usd?', ['convert_currency', { amount: 1200, from: 'JPY', to: 'USD' }]],
    ],
  },
  'messages with two texts': {
    tools: {
      send_message: tool('Sends a message to a person.', { to: text('Who gets it'), body: text('What it says') }),
      list_messages: tool('Lists the newest messages.'),
    },
    asks: [
      ['Send "See you at eight" to Anna', ['send_message', { to: 'Anna', body: 'See you at eight' }]],
      [
        'Send a message to Ben Okafor saying the boat leaves soon',
        ['send_message', { to: 'Ben Okafor', body: 'the boat leaves soon' }],
      ],
    ],
  },
  'a nested object': {
    tools: {
      register_guest: tool(
        'Registers a guest for the dinner.',
        {
          guest: object({ name: text(), email: { type: 'string', format: 'email' }, vegetarian: { type: 'boolean' } }),
          address: object({ city: text() }, ['city']),
        },
        ['guest'],
      ),
    },
    asks: [
      [
        'Register a guest named Mira Holm, mira@example.org, vegetarian',
        ['register_guest', { guest: { name: 'Mira Holm', email: 'mira@example.org', vegetarian: true } }],
      ],
    ],
  },
  'trips between cities': {
    tools: {
      find_trains: tool('Finds trains between two cities on a day.', {
        from: text('City'),
        to: text('City'),
        date: { type: 'string', format: 'date' },
      }),
      train_status: tool('Tells whether a train is late.', { number: text('Train number such as IC 204') }),
    },
    asks: [
      [
        'Find trains from Berlin to Prague on 2026-05-01',
        ['find_trains', { from: 'Berlin', to: 'Prague', date: '2026-05-01' }],
      ],
      ['Find trains from Oslo to Bergen tomorrow', ['find_trains', { from: 'Oslo', to: 'Bergen', date: '2026-03-11' }]],
    ],
  },
  'a list of numbers': {
    tools: {
      sum_numbers: tool('Adds up numbers.', { numbers: { type: 'array', items: { type: 'number' }, minItems: 1 } }),
    },
    asks: [['Sum 3, 4.5 and -2', ['sum_numbers', { numbers: [3, 4.5, -2] }]]],
  },
  'a list of texts': {
    tools: {
      create_poll: tool('Creates a poll.', { options: { type: 'array', items: { type: 'string' }, minItems: 2 } }),
    },
    asks: [
      [
        'Create a poll with the options "red", "green" and "dark blue"',
        ['create_poll', { options: ['red', 'green', 'dark blue'] }],
      ],
    ],
  },
  'German weather': {
    tools: {
      wetter_abrufen: tool('Ruft das Wetter für einen Ort ab.', { ort: text('Name des Ortes') }),
      termin_anlegen: tool('Legt einen Termin im Kalender an.', {
        titel: text(),
        datum: { type: 'string', format: 'date' },
      }),
    },
    asks: [
      ['Wie wird morgen das Wetter in Hamburg?', ['wetter_abrufen', { ort: 'Hamburg' }]],
      [
        'Lege einen Termin namens Zahnarzt am 2026-04-02 an',
        ['termin_anlegen', { titel: 'Zahnarzt', datum: '2026-04-02' }],
      ],
    ],
  },
  'French weather': {
    tools: {
      obtenir_meteo: tool('Donne la météo d’une ville.', { ville: text('Nom de la ville') }),
      chercher_livres: tool('Cherche des livres par mots.', { requete: text() }),
    },
    asks: [
      ['Quelle est la météo à Lyon ?', ['obtenir_meteo', { ville: 'Lyon' }]],
      ['Cherche des livres sur les volcans', ['chercher_livres', { requete: 'volcans' }]],
    ],
  },
  'Japanese weather': {
    tools: {
      get_weather: tool('都市の天気予報を取得する', { city: text('都市名') }),
      add_event: tool('会議を予定に追加する', { title: text('件名') }),
    },
    asks: [['東京の天気を教えて', ['get_weather', { city: '東京' }]]],
  },
  'library with ids from a search': {
    tools: {
      search_books: {
        ...tool('Searches the library.', { query: text() }),
        run: ({ query }) =>
          JSON.stringify(
            [
              { id: 'bk-71', title: 'The Quiet Sea', author: 'L. Ahl', year: 1962 },
              { id: 'bk-72', title: 'Sea Birds', author: 'M. Orr', year: 1990 },
              { id: 'bk-90', title: 'Night Trains', author: 'J. Pell', year: 2004 },
            ].filter((book) =>
              String(query)
                .split(' ')
                .some((word) => book.title.toLowerCase().includes(word.toLowerCase())),
            ),
          ),
      },
      borrow_book: tool('Borrows a book for the visitor.', {
        bookId: text(),
        days: { type: 'integer', minimum: 1, maximum: 60, default: 14 },
      }),
    },
    asks: [
      ['Do you have anything about the sea in the library?', ['search_books', { query: 'sea' }]],
      ['Borrow the second one for 7 days', ['borrow_book', { bookId: 'bk-72', days: 7 }]],
      ['Borrow The Quiet Sea', ['borrow_book', { bookId: 'bk-71', days: 14 }]],
      // Nothing remembered has that name: it looks first.
      [
        'Borrow Night Trains',
        ['search_books', { query: 'Night Trains' }],
        ['borrow_book', { bookId: 'bk-90', days: 14 }],
      ],
    ],
  },
  'numeric ids': {
    tools: {
      list_tickets: {
        ...tool('Lists open tickets.'),
        run: () => '{"tickets":[{"id":4,"title":"Broken door"},{"id":9,"title":"No light"}]}',
      },
      close_ticket: tool('Closes a ticket.', { ticket_id: { type: 'integer' } }),
    },
    asks: [
      ['Show the open tickets', ['list_tickets', {}]],
      ['Close the last one', ['close_ticket', { ticket_id: 9 }]],
      ['Close the ticket about the broken door', ['close_ticket', { ticket_id: 4 }]],
      ['Close ticket 12', ['close_ticket', { ticket_id: 12 }]],
    ],
  },
  'two wishes in one sentence': {
    tools: {
      find_songs: {
        ...tool('Finds songs by words.', { query: text() }),
        run: () => '[{"id":"s1","title":"Blue Night"}]',
      },
      add_to_queue: tool('Adds a song to the queue.', { songId: text() }),
    },
    asks: [
      [
        'Find a song about the night and add it to the queue',
        ['find_songs', { query: 'night' }],
        ['add_to_queue', { songId: 's1' }],
      ],
    ],
  },
  'ranges and options': {
    tools: {
      search_flats: tool(
        'Searches flats to rent.',
        {
          query: text('Free words'),
          maxRent: { type: 'number' },
          minRooms: { type: 'integer' },
          furnished: { type: 'boolean' },
          district: { enum: ['north', 'south', 'old town'] },
        },
        ['query'],
      ),
    },
    asks: [
      [
        'Search a bright flat in the old town under 900 euros with at least 3 rooms',
        ['search_flats', { query: 'bright', maxRent: 900, minRooms: 3, district: 'old town' }],
      ],
      ['Search a quiet flat, not furnished', ['search_flats', { query: 'quiet', furnished: false }]],
      [
        'Something in the old town under 700 euros',
        ['search_flats', { query: 'old town', maxRent: 700, district: 'old town' }],
      ],
      ['Show me anything with a balcony', ['search_flats', { query: 'balcony' }]],
    ],
  },
  'a schema that says nothing': {
    tools: {
      ping: { description: 'Checks the server.', inputSchema: {} },
      reload: { description: 'Loads the page again.', inputSchema: { type: 'object' } },
    },
    asks: [
      ['Please ping the server', ['ping', {}]],
      ['reload', ['reload', {}]],
    ],
  },
  'schemas with references and unions': {
    tools: {
      rate_film: {
        description: 'Rates a film with stars.',
        inputSchema: {
          type: 'object',
          properties: {
            film: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/title' }] },
            stars: { $ref: '#/$defs/stars' },
          },
          required: ['film', 'stars'],
          $defs: { title: { type: 'string' }, stars: { oneOf: [{ const: 1 }, { const: 2 }, { const: 3 }] } },
        },
      },
    },
    asks: [['Rate the film "Solaris" with 3 stars', ['rate_film', { film: 'Solaris', stars: 3 }]]],
  },
  'many tools': {
    tools: Object.fromEntries([
      ...Array.from({ length: 120 }, (_, number): [string, FakeTool] => [
        `get_sensor_${number}`,
        tool(`Reads the value of sensor number ${number} in the plant.`),
      ]),
      ['open_valve', tool('Opens a valve of the plant.', { valve: text('Letter of the valve') })],
    ]),
    asks: [
      ['What does sensor 77 say?', ['get_sensor_77', {}]],
      ['Open valve "B"', ['open_valve', { valve: 'B' }]],
    ],
  },
  'names that are traps': {
    tools: {
      __proto__x: tool('Nothing to see.'),
      constructor: tool('Builds a house from bricks.', { ['__proto__']: text('Material') }, []),
      'weird name\u202e\u0000 with everything <script>': tool('Waters the garden.', {
        'litres of water': { type: 'integer' },
      }),
    },
    asks: [
      ['Water the garden with 5 litres', ['weird name\u202e\u0000 with everything <script>', { 'litres of water': 5 }]],
      ['Build a house', ['constructor', {}]],
    ],
  },
  'camel case without descriptions': {
    tools: {
      deleteNote: { description: '', inputSchema: object({ noteId: text() }) },
      createNote: { description: '', inputSchema: object({ text: text() }) },
      listNotes: {
        description: '',
        inputSchema: object({}),
        run: () => '[{"noteId":"n1","text":"Call the bank"},{"noteId":"n2","text":"Feed the cat"}]',
      },
    },
    asks: [
      ['Create a note saying buy milk and bread', ['createNote', { text: 'buy milk and bread' }]],
      ['What notes do I have?', ['listNotes', {}]],
      ['Delete the note about the cat', ['deleteNote', { noteId: 'n2' }]],
    ],
  },
}

describe('tool sets it has never seen', () => {
  for (const [name, { tools, asks }] of Object.entries(SETS)) {
    it(`picks and fills: ${name}`, async () => {
      const page = fakePageTools(tools)
      const session = await openDemo(page)
      for (const [question, ...calls] of asks) {
        const before = page.calls.length
        const said = await ask(session, question)
        const made = page.calls.slice(before).map((call) => [call.name, call.arguments])
        expect({ question, made, said: said.text }).toEqual({ question, made: calls, said: said.text })
      }
    })
  }

  it('covers twenty of them', () => {
    expect(Object.keys(SETS).length).toBeGreaterThanOrEqual(20)
  })
})
