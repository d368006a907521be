/** E-mails to try it with: one as tidy as a form, one as people write, one without an order. */

export interface SampleMail {
  readonly name: string
  readonly text: string
}

export const SAMPLE_MAILS: readonly SampleMail[] = [
  {
    name: 'A tidy one',
    text: `From: Ada Lovelace
E-mail: ada@example.org
Deliver by: 2026-12-18

Dear Small Kiln,

we would like to order for our office:

- 4 x Oat mug, white
- 2 x Harbour mug, blue
- 1 x Fern mug

Please gift wrap them.

Note: ring twice, the bell is shy.`,
  },
  {
    name: 'As people write',
    text: `Hi there!

Met you at the market on Saturday, lovely stall. Could I get two of the blue ones with the speckles and a single
green mug for my sister? It's her birthday on the 9th so I'd need them a day or two before. No wrapping needed,
I'll do that myself.

Thanks so much,
Jonas (jonas@example.net)`,
  },
  {
    name: 'No order at all',
    text: `Hello,

I only wanted to say that the mug I bought in spring is still my favourite. Greetings from the coast!

Maya`,
  },
]
