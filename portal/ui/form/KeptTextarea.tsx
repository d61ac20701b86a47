import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core'
import { type Ref, useEffect } from 'react'
import { useKeptState } from './useKeptInput.ts'

interface LineProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Of the text at its address, with the record's id where records share one. */
  name: string
  initial: string
  ref?: Ref<HTMLInputElement>
}

/** The same in one line. */
export function KeptTextInput({ name, initial, ...props }: LineProps) {
  const [text, setText] = useKeptState(name, initial)
  return <TextInput {...props} value={text} onChange={(event) => setText(event.currentTarget.value)} />
}

interface Props extends Omit<TextareaProps, 'value' | 'onChange'> {
  /** Of the text at its address, with the record's id where records share one. */
  name: string
  /** Hears the text as it is typed or restored. */
  onText?: (text: string) => void
  ref?: Ref<HTMLTextAreaElement>
}

/** A text of a dialog, which is kept when the session ends. */
export function KeptTextarea({ name, onText, ...props }: Props) {
  const [text, setText] = useKeptState(name, '')
  useEffect(() => {
    onText?.(text)
  }, [onText, text])
  return <Textarea {...props} value={text} onChange={(event) => setText(event.currentTarget.value)} />
}
