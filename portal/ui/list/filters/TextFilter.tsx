import { TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enoughLetters } from '#contract/frame/shapes.ts'
import type { Filter } from '../types.ts'
import classes from './FilterBar.module.css'

/** Searches during typing, once there are enough letters. */
export function TextFilter({ filter, value, set }: { filter: Filter; value: string; set: (value: string) => void }) {
  const { t } = useTranslation(['ui', 'list'])
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const send = (next: string) => {
    sent.current = next
    set(next)
  }
  const sendLater = useDebouncedCallback((next: string) => {
    const trimmed = next.trim()
    if (trimmed.length === 0 || trimmed.length >= enoughLetters) send(trimmed)
  }, 250)
  // The text sent from here returns while the user continues to type. Any other text is a new search: from a view, a
  // link, or none.
  useEffect(() => {
    if (value === sent.current) return
    sendLater.cancel()
    sent.current = value
    setText(value)
  }, [value, sendLater])
  const isShort = text.trim().length > 0 && text.trim().length < enoughLetters
  return (
    <TextInput
      className={classes.text}
      size="xs"
      aria-label={filter.name}
      placeholder={filter.name}
      maxLength={100}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        text && (
          <UnstyledButton
            className={classes.clear}
            aria-label={t('list:filter.clear', { name: filter.name })}
            onClick={() => {
              sendLater.cancel()
              setText('')
              send('')
            }}
          >
            <IconX size={14} aria-hidden />
          </UnstyledButton>
        )
      }
      description={isShort ? t('filter.letters', { count: enoughLetters }) : undefined}
      inputWrapperOrder={['input', 'description']}
      classNames={{ description: classes.hint }}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        sendLater(event.currentTarget.value)
      }}
    />
  )
}
