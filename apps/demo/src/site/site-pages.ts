/** The pages of the site, as its head names them. */

export interface SitePage {
  readonly href: string
  readonly name: string
}

export const SITE_PAGES = {
  shop: { href: '/', name: 'Shop' },
  notes: { href: '/notes', name: 'Notebook' },
  desk: { href: '/desk', name: 'Order desk' },
  picture: { href: '/picture', name: 'Picture' },
} as const satisfies Record<string, SitePage>

export type PageId = keyof typeof SITE_PAGES
