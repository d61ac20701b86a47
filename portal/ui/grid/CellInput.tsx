import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import classes from './EditGrid.module.css'
import type { CellActs, GridColumn } from './types.ts'

interface Props<T> {
  row: T
  column: GridColumn<T>
  /** The initial text. */
  draft: string
  name: string
  finish: CellActs['finish']
}

/** The input of a cell that is being edited. */
export function CellInput<T>({ row, column, draft, name, finish }: Props<T>) {
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const isDone = useRef(false)
  useEffect(() => {
    field.current?.focus()
    // The letter that started the edit stays before the next letter.
    if (field.current instanceof HTMLInputElement) field.current.setSelectionRange(draft.length, draft.length)
  }, [draft])
  const end = (text: string | undefined, go: Parameters<CellActs['finish']>[1]) => {
    if (isDone.current) return
    isDone.current = true
    finish(text, go)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement | HTMLSelectElement>) => {
    const { key, shiftKey, currentTarget } = event
    event.stopPropagation()
    if (key === 'Escape') end(undefined, 'stay')
    else if (key === 'Enter') end(currentTarget.value, 'down')
    else if (key === 'Tab') end(currentTarget.value, shiftKey ? 'before' : 'next')
    else return
    event.preventDefault()
  }
  const common = {
    ref: field,
    className: classes.field,
    'aria-label': name,
    defaultValue: draft,
    onKeyDown,
    onBlur: (event: { currentTarget: { value: string } }) => end(event.currentTarget.value, 'stay'),
  }
  if (column.edit?.search) return <SearchInput {...common} suggest={column.edit.search.suggest} />
  if (column.edit?.kind !== 'select')
    return <input {...common} inputMode={column.edit?.kind === 'text' ? 'text' : 'decimal'} />
  const options = column.edit.options?.(row) ?? []
  const canBeEmpty = column.edit.schema.safeParse(null).success
  const option = options.find(({ value, label }) => value === draft || label === draft)
  return (
    <select {...common} defaultValue={option?.value ?? ''}>
      {(canBeEmpty || !option) && <option value="" />}
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

interface SearchProps extends Omit<ComponentProps<'input'>, 'defaultValue'> {
  defaultValue: string
  suggest: (text: string) => readonly string[]
}

/** An input that suggests values while the user types. */
function SearchInput({ suggest, ...input }: SearchProps) {
  const list = useId()
  const [text, setText] = useState(input.defaultValue)
  return (
    <>
      <input {...input} list={list} autoComplete="off" onChange={(event) => setText(event.currentTarget.value)} />
      <datalist id={list}>
        {suggest(text).map((label) => (
          <option key={label} value={label} />
        ))}
      </datalist>
    </>
  )
}
