/** The visitor's own browser. By itself, because what finds it is large, and needed seldom. */
export { default as openBrowser } from 'open'
