/**
 * The chat template of the small real model: its own markup (ChatML), tools as larger models know them (Hermes), and three
 * examples. The model has 135 million parameters and was not trained for tools; it follows a pattern it has just seen.
 */

/** A question, the call that answers it, its result and the answer, for one thing and its count. */
const EXAMPLE = [
  '<|im_start|>user\\nHow many ITEM are in stock?<|im_end|>',
  '<|im_start|>assistant\\n<tool_call>\\n{"name": "count_stock", "arguments": {"item": "ITEM"}}\\n</tool_call><|im_end|>',
  '<|im_start|>user\\n<tool_response>\\nCOUNT\\n</tool_response><|im_end|>',
  '<|im_start|>assistant\\nThere are COUNT ITEM in stock.<|im_end|>\\n',
].join('\\n')

const example = (item: string, count: number): string =>
  `{{- '${EXAMPLE.replaceAll('ITEM', item).replaceAll('COUNT', String(count))}' }}`

export const LLAMA_CPP_TEMPLATE = `{%- set system = messages[0].content if messages[0].role == 'system' else 'You answer questions about a shop.' %}
{{- '<|im_start|>system\\n' + system }}
{%- if tools %}
{{- '\\n\\n# Tools\\n\\n<tools>' }}
{%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}
{{- '\\n</tools>\\n\\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\\n<tool_call>\\n{"name": <function-name>, "arguments": <args-json-object>}\\n</tool_call>' }}
{%- endif %}
{{- '<|im_end|>\\n' }}
{%- if tools %}
${example('red hats', 4)}
${example('green lamps', 31)}
${example('old books', 9)}
{%- endif %}
{%- for message in messages %}
{%- if message.role == 'user' or (message.role == 'assistant' and not message.tool_calls) %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- elif message.role == 'assistant' %}
{{- '<|im_start|>assistant' }}
{%- if message.content %}{{- '\\n' + message.content }}{%- endif %}
{%- for call in message.tool_calls %}
{{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}
{{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
`
