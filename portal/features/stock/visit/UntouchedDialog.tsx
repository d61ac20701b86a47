import { Button, Checkbox, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Line } from './visitLines.ts'

interface Props {
  /** The untouched lines. */
  lines: readonly Line[]
  close: () => void
  /** The selections that were loaded as planned; nothing was loaded into the others. */
  finish: (loaded: ReadonlySet<string>) => void
}

/** Asks what happened to selections that the technician did not touch. What is not ticked is stored as not loaded. */
export function UntouchedDialog({ lines, close, finish }: Props) {
  const { t } = useTranslation(['visit', 'ui'])
  const format = useFormat()
  const [loaded, setLoaded] = useState<ReadonlySet<string>>(new Set())
  const [isActing, setActing] = useState(false)
  const toggle = (selection: string, isOn: boolean) => {
    const next = new Set(loaded)
    if (isOn) next.add(selection)
    else next.delete(selection)
    setLoaded(next)
  }
  const left = lines.length - loaded.size
  const confirm =
    left === 0
      ? t('untouched.allLoaded', { count: loaded.size, number: format.number(loaded.size) })
      : t('untouched.notLoaded', { count: left, number: format.number(left) })
  return (
    <Modal
      opened
      onClose={close}
      title={t('untouched.title', { count: lines.length, number: format.number(lines.length) })}
    >
      <Stack gap="sm">
        <Text my="part">{t('untouched.text')}</Text>
        {lines.length > 1 && (
          <Checkbox
            label={t('untouched.all')}
            checked={left === 0}
            indeterminate={loaded.size > 0 && left > 0}
            onChange={({ currentTarget }) =>
              setLoaded(new Set(currentTarget.checked ? lines.map(({ selection }) => selection) : []))
            }
          />
        )}
        {lines.map(({ selection, product, planned }) => (
          <Checkbox
            key={selection}
            label={t('untouched.line', {
              selection,
              product: product ?? t('noProduct'),
              number: format.number(planned),
            })}
            checked={loaded.has(selection)}
            onChange={({ currentTarget }) => toggle(selection, currentTarget.checked)}
          />
        ))}
        <Button
          size="lg"
          fullWidth
          loading={isActing}
          onClick={() => {
            setActing(true)
            finish(loaded)
          }}
        >
          {confirm}
        </Button>
        <Button variant="default" fullWidth disabled={isActing} onClick={close}>
          {t('ui:dismiss.edit')}
        </Button>
      </Stack>
    </Modal>
  )
}
