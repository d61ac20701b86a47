/** More is no line of an adapter. */
const longest = 1024

/** Parts bytes into lines. A line that is too long is left out up to its end. */
export function openLines(take: (line: string) => void): (bytes: Uint8Array) => void {
  let text = ''
  let isSkipped = false
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === 0x0a || byte === 0x0d) {
        if (!isSkipped && text !== '') take(text)
        text = ''
        isSkipped = false
      } else if (text.length >= longest) isSkipped = true
      else text += String.fromCharCode(byte)
    }
  }
}
