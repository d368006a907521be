/** The window's few pictures, drawn with the text's own colour. */
import type { ReactNode } from 'react'

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}

export function SitesIcon() {
  return (
    <Icon>
      <rect x="2.5" y="3.5" width="15" height="13" rx="2.5" />
      <path d="M2.5 7.5h15M5.2 5.5h.01M7.4 5.5h.01" />
    </Icon>
  )
}

export function AiIcon() {
  return (
    <Icon>
      <path d="M10 2.5l1.9 5.1 5.1 1.9-5.1 1.9L10 16.5l-1.9-5.1L3 9.5l5.1-1.9z" />
      <path d="M16 14.5v3M14.5 16h3" />
    </Icon>
  )
}

export function ActivityIcon() {
  return (
    <Icon>
      <path d="M2.5 10.5h3l2.5-6 4 11 2.5-5h3" />
    </Icon>
  )
}

export function SettingsIcon() {
  return (
    <Icon>
      <path d="M3 6h8M15 6h2M3 14h2M9 14h8" />
      <circle cx="13" cy="6" r="2" />
      <circle cx="7" cy="14" r="2" />
    </Icon>
  )
}
