import type { ButtonHTMLAttributes } from 'react'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'main' | 'plain' | 'quiet' | 'danger'
  /** Shows that it works on it, and takes no second click. */
  isBusy?: boolean
}

/** One look for every button; `main` is the one thing to do next. */
export function Button({ look = 'plain', isBusy = false, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`button button-${look}`}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
      {...rest}
    >
      {isBusy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}
