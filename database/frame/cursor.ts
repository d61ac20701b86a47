/** The position in a growing list: the page begins after this row, or ends before it when going back. Timestamps have microseconds. */
export interface Cursor {
  micros: number
  id: string
  back: boolean
}

export const writeCursor = ({ micros, id, back }: Cursor): string =>
  Buffer.from(`${back ? 'b' : 'n'}${micros}.${id}`).toString('base64url')

/** A cursor from a link; an invalid one means the first page. */
export function readCursor(text: string | undefined): Cursor | undefined {
  const parts = /^([bn])(\d{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(text ?? '', 'base64url').toString(),
  )
  if (!parts) return undefined
  return { back: parts[1] === 'b', micros: Number(parts[2]), id: parts[3] as string }
}
