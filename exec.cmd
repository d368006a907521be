@rem The scripts in package.json begin with the shell's `exec`, so that signals reach them through `npm start`.
@rem Windows has no such word: there it is this file.
@%*
