import { ActionIcon, Box, Button, Input, SimpleGrid, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { vpValueAt } from '#domain/configurations/vp-document.ts'
import { defaultOf, nodeOf, type VpNode, type VpSchema } from '#domain/configurations/vp-schema.ts'
import { StepsField } from './StepsField.tsx'
import { useVpWords } from './useVpWords.ts'
import classes from './Vp.module.css'
import { VpField } from './VpField.tsx'
import { isChangedAt, type VpForm } from './vpForm.ts'

/** Whether a field is a value of its own, not a list of parts. */
const isPlain = ({ type, items }: VpNode) => type !== 'object' && !(type === 'array' && !items?.enum)

/** The fields of a part of the document, in the order of its schema: values in a grid, then lists of parts. */
export function VpFields({ form, path }: { form: VpForm; path: string }) {
  const { schema, document } = form
  const words = useVpWords()
  const value = vpValueAt(document, path)
  const kind = vpValueAt(value, 'kind')
  const node = nodeOf(schema, nodeAtPath(schema, path))
  const fields = Object.entries(node.properties ?? {}).map(
    ([name, raw]) => [name, nodeOf(schema, raw), `${path}.${name}`] as const,
  )
  const stray = Object.keys(typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}).filter(
    (name) => !node.properties?.[name],
  )
  return (
    <>
      <SimpleGrid minColWidth="min(100%, 176px)" spacing="lg" verticalSpacing="part" style={{ alignItems: 'start' }}>
        {fields
          .filter(([, one]) => isPlain(one))
          .map(([name, one, at]) => (
            <VpField
              key={at}
              path={at}
              name={name}
              node={one}
              value={vpValueAt(document, at)}
              set={(next) => form.set(at, next)}
              error={form.errors.get(at)}
              isChanged={isChangedAt(form, at)}
              isFixed={form.isFixed}
              unit={words.unit(one, name === 'amount' ? kind : undefined)}
            />
          ))}
      </SimpleGrid>
      {fields
        .filter(([, one]) => !isPlain(one))
        .map(([name, one, at]) =>
          one['x-kind'] === 'steps' ? (
            <StepsField
              key={at}
              form={form}
              path={at}
              node={one}
              fields={(step) => <VpFields form={form} path={step} />}
            />
          ) : (
            <VpRows key={at} form={form} path={at} name={name} node={one} />
          ),
        )}
      {stray.map((name) => (
        <Input.Error key={name} className={classes.stray} data-path={`${path}.${name}`}>
          {name}: {form.errors.get(`${path}.${name}`)}
        </Input.Error>
      ))}
    </>
  )
}

function nodeAtPath(schema: VpSchema, path: string): VpNode {
  let node: VpNode = schema
  for (const name of path.split('.')) {
    const at = nodeOf(schema, node)
    node = (at.type === 'array' ? at.items : at.properties?.[name]) ?? {}
  }
  return node
}

/** A short list of parts, such as the windows of a schedule. */
function VpRows({ form, path, name, node }: { form: VpForm; path: string; name: string; node: VpNode }) {
  const { t } = useTranslation('vp-configuration')
  const words = useVpWords()
  const value = vpValueAt(form.document, path)
  const rows = Array.isArray(value) ? value : []
  const add = () => form.set(path, [...rows, rows.at(-1) ?? defaultOf(form.schema, node.items ?? {})])
  return (
    <Stack component="fieldset" gap="sm" align="flex-start">
      <Box component="legend" pt={0} pb="snug" px={0} fw={550}>
        {words.label(name)}
      </Box>
      {rows.map((_, index) => (
        // A row is identified by its position alone.
        <div key={index} className={classes.row}>
          <VpFields form={form} path={`${path}.${index}`} />
          <ActionIcon
            variant="subtle"
            aria-label={t('editor.remove', { number: index + 1 })}
            disabled={form.isFixed}
            onClick={() => form.set(path, rows.toSpliced(index, 1))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {form.errors.get(path) && <Input.Error>{form.errors.get(path)}</Input.Error>}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={form.isFixed || rows.length >= (node.maxItems ?? 100)}
        onClick={add}
      >
        {t('editor.add')}
      </Button>
    </Stack>
  )
}
