import { Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JsonObject } from '#contract/configurations/vp-document.ts'
import type { VpSchema } from '#domain/configurations/vp-schema.ts'
import { contains } from '#domain/frame/folded.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { StatusMark } from '#portal/ui/value/StatusBadge.tsx'
import { useVpWords } from './useVpWords.ts'
import classes from './Vp.module.css'
import { fieldsOf, isEntries, isWithin, nodeAt, placesOf } from './vpTree.ts'

interface Props {
  schema: VpSchema
  document: JsonObject
  /** The open section or entry. */
  at: string
  open: (path: string) => void
  /** Opens the place of a field and puts the focus on it. */
  find: (path: string) => void
  /** Paths of values that break the schema, and of values that differ from the saved ones. */
  broken: readonly string[]
  changed: readonly string[]
}

/** At most so many results of a search are listed. */
const mostFound = 30

/** The sections of a document with a search over its parameters; each counts its mistakes and its changes. */
export function VpTree({ schema, document, at, open, find, broken, changed }: Props) {
  const { t } = useTranslation('vp-configuration')
  const words = useVpWords()
  const format = useFormat()
  const [typed, type] = useState('')
  const searchText = typed.trim()
  const matches =
    searchText === ''
      ? []
      : fieldsOf(schema, document)
          .map((path) => ({ path, ...words.say(schema, document, path) }))
          .filter(({ group, label }) => contains(`${group} ${label}`, searchText))
          .slice(0, mostFound)
  return (
    <Stack component="nav" gap="near" miw={0} aria-label={t('editor.sections')}>
      <TextInput
        type="search"
        aria-label={t('editor.search')}
        placeholder={t('editor.search')}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      {searchText !== '' && matches.length === 0 && (
        <Text c="faint" fz="sm">
          {t('editor.nothing')}
        </Text>
      )}
      <Stack component="ul" gap={0} mah={{ base: 220, sm: '70vh' }} className="scrolls-down">
        {searchText !== ''
          ? matches.map(({ path, group, label }) => (
              <li key={path}>
                <UnstyledButton className={`${classes.place} lights`} onClick={() => find(path)}>
                  <span>
                    {label}{' '}
                    <Text span ms="snug" c="faint" fz="sm" fw={400}>
                      {group}
                    </Text>
                  </span>
                </UnstyledButton>
              </li>
            ))
          : placesOf(schema, document).map((place) => {
              const isIn = (path: string) => isWithin(place, path, isEntries(nodeAt(schema, place.section)))
              const mistakes = broken.filter(isIn).length
              const changes = changed.filter(isIn).length
              return (
                <li key={place.path}>
                  <UnstyledButton
                    className={`${classes.place} lights`}
                    data-entry={place.entry !== undefined}
                    aria-current={at === place.path}
                    onClick={() => open(place.path)}
                  >
                    <span>{place.entry ?? words.section(place.section)}</span>
                    {mistakes > 0 && (
                      <span className={classes.mistakes} title={t('editor.mistakes', { count: mistakes })}>
                        <StatusMark mark="triangle" tone="crit" /> {format.number(mistakes)}
                      </span>
                    )}
                    {changes > 0 && (
                      <span className={classes.changes} title={t('editor.changes', { count: changes })}>
                        {format.number(changes)}
                      </span>
                    )}
                  </UnstyledButton>
                </li>
              )
            })}
      </Stack>
    </Stack>
  )
}
