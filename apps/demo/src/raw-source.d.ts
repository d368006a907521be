/** `import text from './file.ts?raw'`: the file as it stands, read when the site is built. */
declare module '*?raw' {
  const text: string
  export default text
}
