/** Text that is safe inside HTML elements and quoted attributes. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control and format characters turn the reading direction around or can't be seen: a name could pass for another with them. */
const DECEPTIVE = /[\p{Cc}\p{Cf}]/gu

export function escapeHtml(text: string): string {
  return text.replace(DECEPTIVE, '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
