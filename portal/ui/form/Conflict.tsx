import { Box, Button, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditConflict } from '#domain/frame/editing.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { When } from '../time/When.tsx'
import classes from './Conflict.module.css'
import type { MergedChange, OtherChange } from './useEditing.ts'

interface Props extends OtherChange {
  conflicts: readonly EditConflict[]
  nameOf: (field: string) => string
  say: (field: string, value: unknown) => ReactNode
  /** The fields with the other user's value; the others keep the user's own. */
  settle: (fields: ReadonlySet<string>) => void
  isSaving: boolean
}

/** Shows another user's simultaneous changes, field by field, and asks which value to keep. */
export default function Conflict({ conflicts, nameOf, say, by, at, settle, isSaving }: Props) {
  const { t } = useTranslation('editing')
  const [sides, setSides] = useState<ReadonlyMap<string, 'theirs' | 'mine'>>(new Map())
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus(), [])
  const choose = (field: string, side: 'theirs' | 'mine') => setSides((before) => new Map(before).set(field, side))
  const otherFields = new Set(conflicts.map(({ field }) => field).filter((field) => sides.get(field) === 'theirs'))
  return (
    <Stack
      ref={element}
      tabIndex={-1}
      component="section"
      gap="sm"
      mt="md"
      p="md"
      bd="1px solid var(--warn)"
      bdrs="lg"
      bg="var(--warn-soft)"
      role="alertdialog"
      aria-label={t('conflict.title')}
    >
      <Title order={3} fz="lead" fw={650} lh="inherit">
        {t('conflict.title')}
      </Title>
      <Text c="dimmed">
        {by ? t('conflict.by', { name: by }) : t('conflict.bySomebody')}
        {at && (
          <Text span display="block" c="dimmed" fz="fine">
            <When at={at} />
          </Text>
        )}
      </Text>
      <Stack gap="sm">
        {conflicts.map(({ field, theirs: otherValue, mine: ownValue }) => (
          <SimpleGrid
            key={field}
            cols={{ base: 1, xs: 2 }}
            spacing="near"
            verticalSpacing="snug"
            role="group"
            aria-label={nameOf(field)}
          >
            <Box component="strong" fw={600} className="whole">
              {nameOf(field)}
            </Box>
            {(
              [
                ['theirs', otherValue],
                ['mine', ownValue],
              ] as const
            ).map(([side, value]) => (
              <button
                key={side}
                type="button"
                className={classes.side}
                aria-pressed={sides.get(field) === side}
                onClick={() => choose(field, side)}
              >
                <Text span c="dimmed" fz="xs">
                  {t(side === 'theirs' ? 'conflict.takeTheirs' : 'conflict.keepMine')}
                </Text>
                <Text span fw={600} className="breaks">
                  {say(field, value) || t('conflict.empty')}
                </Text>
              </button>
            ))}
          </SimpleGrid>
        ))}
      </Stack>
      <Button
        disabled={sides.size < conflicts.length}
        loading={isSaving}
        onClick={() => settle(otherFields)}
        style={{ alignSelf: 'start' }}
      >
        {t('conflict.save')}
      </Button>
    </Stack>
  )
}

/** Lists the changes of another user that were merged into the user's save. */
export function JoinedNote({ joined, nameOf }: { joined: MergedChange; nameOf: (field: string) => string }) {
  const { t, i18n } = useTranslation('editing')
  const fields = new Intl.ListFormat(i18n.language).format(joined.fields.map(nameOf))
  return (
    <Note tone="info" mt="md" fw={500} role="status">
      {joined.by ? t('conflict.joinedBy', { name: joined.by, fields }) : t('conflict.joined', { fields })}
    </Note>
  )
}
