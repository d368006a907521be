/** Whether two snapshots, or two lists, hold the very same values; a field that is `undefined` counts as none. */
export function isSame(one: object, other: object): boolean {
  return [one, other]
    .flatMap((each) => Object.keys(each))
    .every((name) => Reflect.get(one, name) === Reflect.get(other, name))
}
