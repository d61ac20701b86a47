import { useState } from 'react'

interface Options<Value> {
  /** The form's value: parsed, or the text itself if it cannot be parsed. */
  value: Value | string | null | undefined
  set: (value: Value | string | null) => void
  read: (text: string) => Value | undefined
  write: (value: Value) => string
}

/**
 * A text that represents a value, such as a number: it stays as typed and is formatted on blur. The form keeps invalid
 * text, so that the schema reports it; empty text is null.
 */
export function useTypedText<Value extends number | string>({ value, set, read, write }: Options<Value>) {
  const written = (newValue: typeof value) => {
    if (newValue === null || newValue === undefined || newValue === '') return ''
    const isText =
      typeof newValue === 'string' && (read(newValue) === undefined || typeof newValue !== typeof read(newValue))
    return isText ? newValue : write(newValue as Value)
  }
  const [typed, setTyped] = useState({ text: written(value), value })
  // The form's own value has changed: loaded, reset, undone.
  const isForeign = !Object.is(typed.value ?? null, value ?? null)
  const text = isForeign ? written(value) : typed.text
  const type = (next: string) => {
    const nextValue = next.trim() === '' ? null : (read(next) ?? next)
    setTyped({ text: next, value: nextValue })
    set(nextValue)
  }
  const tidy = () => {
    const parsed = read(text)
    if (parsed !== undefined) setTyped({ text: write(parsed), value })
  }
  return { text, type, tidy }
}
