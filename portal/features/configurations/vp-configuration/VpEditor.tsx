import { Alert, Button, Flex, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type VpConfiguration, vpConfigurations } from '#contract/configurations/vp-configuration.ts'
import type { Json, JsonObject } from '#contract/configurations/vp-document.ts'
import { vpProblemsOf } from '#domain/configurations/vp-check.ts'
import { vpChangesBetween, vpValueAt, withVpValue } from '#domain/configurations/vp-document.ts'
import { withFreeNumber } from '#domain/configurations/vp-rules.ts'
import { defaultOf, vpSchemaOf } from '#domain/configurations/vp-schema.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { oneOf } from '#portal/app/search.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField, RecordField } from '#portal/ui/form/record/RecordFields.tsx'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { useVpWords } from './useVpWords.ts'
import classes from './Vp.module.css'
import { VpDifference } from './VpDifference.tsx'
import { VpFields } from './VpFields.tsx'
import { VpTree } from './VpTree.tsx'
import type { VpForm } from './vpForm.ts'
import { isEntries, nodeAt, placeOfPath, placesOf, type VpPlace } from './vpTree.ts'

export const vpEditor: DrawField = (field) => <VpEditor {...field} />

function VpEditor(field: RecordField) {
  const { data } = useRecord(vpConfigurations.getVpConfiguration, 'vpConfigurationId')
  return data ? <Editor field={field} configuration={data} /> : null
}

/** The value of the field, and a setter of a path that is right for several calls in one event. */
function useDocument({ values: _, merchantId: __, isNullable: ___, ...props }: RecordField) {
  const { value: document, set: write } = useField<JsonObject, Record<string, unknown>>(props)
  const latest = useRef(document)
  latest.current = document
  const set = useCallback(
    (path: string, value: Json) => {
      latest.current = withVpValue(latest.current, path, value)
      write(latest.current)
    },
    [write],
  )
  return { document, write, set }
}

/** A document in a form drawn from its schema: its sections, the fields of one of them, and the differences. */
function Editor({ field, configuration }: { field: RecordField; configuration: VpConfiguration }) {
  const { t } = useTranslation('vp-configuration')
  const words = useVpWords()
  const say = useRuleSentence()
  const go = useGo()
  const query = useAddressQuery()
  const element = useRef<HTMLDivElement>(null)
  const { document, write, set } = useDocument(field)
  const isFixed = !useMay(vpConfigurations.updateVpConfiguration)
  const schema = vpSchemaOf(configuration.deviceType)
  const problems = useMemo(() => (schema ? vpProblemsOf(schema, document) : []), [schema, document])
  const changed = useMemo(
    () => vpChangesBetween(configuration.document, document).map(({ path }) => path),
    [configuration.document, document],
  )
  const [at, open] = useState(() => (schema ? (placesOf(schema, document)[0]?.path ?? '') : ''))
  if (!schema) return null
  const places = placesOf(schema, document)
  const place = places.find(({ path }) => path === at) ?? places[0]
  const errors = new Map(problems.map(({ path, rule }) => [path, say(rule)]))
  const broken = problems.map(({ path }) => path)
  const form: VpForm = { schema, document, saved: configuration.document, set, errors, isFixed }
  const find = (path: string) => {
    open(placeOfPath(places, path)?.path ?? at)
    requestAnimationFrame(() => {
      const near = element.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)
      near?.scrollIntoView({ block: 'center' })
      near?.focus()
    })
  }
  const first = problems[0]
  return (
    <div ref={element} className={classes.editor}>
      {field.form.getValues().schemaVersion !== schema['x-version'] && (
        <OldSchemaAlert field={field} configuration={configuration} isFixed={isFixed} />
      )}
      {first && (
        <Text className={`${classes.fix} whole`} role="status">
          <button type="button" onClick={() => find(first.path)}>
            {t('editor.fix', {
              count: problems.length,
              parameter: words.say(schema, document, first.path).label,
            })}
          </button>
        </Text>
      )}
      <VpTree {...{ schema, document, at: place?.path ?? '', open, find, broken, changed }} />
      {place && <Section form={form} places={places} place={place} open={open} />}
      <VpDifference
        {...{ schema, configuration, document, find, broken, isFixed }}
        posId={oneOf(query, 'machine')}
        compare={(posId) => void go({ here: { machine: posId } }, { replace: true, resetScroll: false })}
        take={write}
      />
    </div>
  )
}

interface AlertProps {
  field: RecordField
  configuration: VpConfiguration
  isFixed: boolean
}

/** The document is of a schema that has a newer version. */
function OldSchemaAlert({ field, configuration, isFixed }: AlertProps) {
  const { t } = useTranslation('vp-configuration')
  const { schemaVersion: version, currentSchemaVersion: current } = configuration
  return (
    <Alert color="warn" className={classes.wide} title={t('gone.title')}>
      <Text my="part">{t('gone.text', { version, current })}</Text>
      {!isFixed && (
        <Button variant="default" size="xs" onClick={() => field.form.setFieldValue('schemaVersion', current)}>
          {t('gone.move', { current })}
        </Button>
      )}
    </Alert>
  )
}

interface SectionProps {
  form: VpForm
  places: readonly VpPlace[]
  place: VpPlace
  open: (path: string) => void
}

/** A section of the document: its fields, or its entries, such as recipes, which can be added and removed. */
function Section({ form, places, place, open }: SectionProps) {
  const { t } = useTranslation('vp-configuration')
  const words = useVpWords()
  const { schema, document, set, isFixed } = form
  const list = vpValueAt(document, place.section)
  const rows = Array.isArray(list) ? list : []
  const index = place.entry === undefined ? -1 : Number(place.path.split('.')[1])
  const node = nodeAt(schema, place.section)
  const addEntry = () => {
    if (!node?.items) return
    set(place.section, [...rows, withFreeNumber(rows, structuredClone(rows[index] ?? defaultOf(schema, node.items)))])
    open(`${place.section}.${rows.length}`)
  }
  const removeEntry = () => {
    set(place.section, rows.toSpliced(index, 1))
    open(place.section)
  }
  return (
    <Stack component="section" gap="md" miw={0}>
      <Group component="header" gap="near" justify="space-between">
        <Title order={3} fz="lead" fw={600} lh="inherit">
          {place.entry ?? words.section(place.section)}
          {place.entry !== undefined && (
            <Text span ms="snug" c="faint" fz="sm" fw={400}>
              {words.section(place.section)}
            </Text>
          )}
        </Title>
        {isEntries(node) && !isFixed && (
          <Flex component="span" gap="near" wrap="wrap">
            {index >= 0 && rows.length > (node?.minItems ?? 0) && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={removeEntry}
              >
                {t('editor.removeEntry')}
              </Button>
            )}
            {rows.length < (node?.maxItems ?? 100) && (
              <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={addEntry}>
                {t(index >= 0 ? 'editor.copyEntry' : 'editor.addEntry')}
              </Button>
            )}
          </Flex>
        )}
      </Group>
      {isEntries(node) && index < 0 ? (
        <Flex component="ul" gap="snug" wrap="wrap">
          {places
            .filter(({ section, entry }) => section === place.section && entry !== undefined)
            .map(({ path, entry }) => (
              <li key={path}>
                <Button variant="subtle" size="compact-sm" onClick={() => open(path)}>
                  {entry}
                </Button>
              </li>
            ))}
        </Flex>
      ) : (
        <VpFields key={place.path} form={form} path={place.path} />
      )}
    </Stack>
  )
}
