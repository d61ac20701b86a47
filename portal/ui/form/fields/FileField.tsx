import { type ReactNode, useEffect, useRef } from 'react'
import type { FileFacts, FileRule } from '#contract/frame/file-rules.ts'
import { enoughBytes, factsOf } from '#domain/frame/file-kind.ts'
import { FileBox } from './FileBox.tsx'
import { type FieldProps, useField } from './useField.tsx'

/** A chosen file, with the facts read from its beginning. */
export interface ChosenFile extends FileFacts {
  name: string
  file: File
}

/** Reads a file's beginning without decoding it. */
export async function chosenFile(file: File): Promise<ChosenFile> {
  const beginning = new Uint8Array(await file.slice(0, enoughBytes).arrayBuffer())
  return { name: file.name, file, ...factsOf(beginning, file.size) }
}

interface Props<T extends Record<string, unknown>> extends FieldProps<T> {
  rule: FileRule
  /** The preview of the chosen file. */
  preview?: (file: ChosenFile) => ReactNode
}

/**
 * A file, chosen or dropped. Its type is recognised by its content, never by its name; the schema is
 * `fileUnder(rule)`.
 */
export function FileField<T extends Record<string, unknown>>(props: Props<T>) {
  const { rule, preview } = props
  const { value, set, leave, input, isFixed } = useField<ChosenFile | null, T>(props)
  const isUnchecked = useRef(false)
  const put = (file: ChosenFile | null) => {
    set(file)
    isUnchecked.current = true
  }
  // Validated on change: a file field has no blur like a text field.
  useEffect(() => {
    if (!isUnchecked.current) return
    isUnchecked.current = false
    leave()
  })
  return (
    <FileBox
      {...{ rule, isFixed }}
      label={input.label}
      description={input.description}
      isRequired={input.withAsterisk}
      error={input.error}
      file={value}
      preview={value && preview?.(value)}
      isBusy={Boolean(input['aria-busy'])}
      take={async (file) => put(await chosenFile(file))}
      clear={() => put(null)}
    />
  )
}
