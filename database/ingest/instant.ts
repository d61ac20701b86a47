let lastSecond = Number.NaN
let secondText = ''
/** The instant in ISO 8601; instants of the same second share the formatted date. */
export function instant(at: number): string {
  const second = Math.floor(at / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    secondText = new Date(second * 1000).toISOString().slice(0, 20)
  }
  return `${secondText}${String(Math.floor(at - second * 1000)).padStart(3, '0')}Z`
}
