import { Button, Flex, Group, NativeSelect, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type VpConfiguration, vpConfigurations } from '#contract/configurations/vp-configuration.ts'
import type { JsonObject } from '#contract/configurations/vp-document.ts'
import { vpChangesBetween } from '#domain/configurations/vp-document.ts'
import type { VpSchema } from '#domain/configurations/vp-schema.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { When } from '#portal/ui/time/When.tsx'
import { useVpWords } from './useVpWords.ts'
import classes from './Vp.module.css'
import { VpSync } from './VpSync.tsx'

interface Props {
  schema: VpSchema
  configuration: VpConfiguration
  document: JsonObject
  /** The compared machine; undefined: the saved version. */
  posId: string | undefined
  compare: (posId: string | undefined) => void
  find: (path: string) => void
  /** Takes over a whole document. */
  take: (document: JsonObject) => void
  broken: readonly string[]
  isFixed: boolean
}

const mostMachines = 100
const mostShown = 200

/** What the form differs in from the saved version, or from what a machine reported. */
export function VpDifference({ schema, configuration, document, posId, compare, find, take, broken, isFixed }: Props) {
  const { t } = useTranslation('vp-configuration')
  const params = { merchantId: configuration.merchantId, vpConfigurationId: configuration.id }
  const list = useQuery(
    queryOf(vpConfigurations.listVpMachines, { params, query: { targets: 'own', size: mostMachines } }),
  )
  const machine = useQuery({
    ...queryOf(vpConfigurations.getVpMachine, { params: { ...params, posId: posId ?? '' } }),
    enabled: posId !== undefined,
  })
  const reported = machine.data?.reported
  const other = posId === undefined ? configuration.document : reported?.document
  const changes = other ? vpChangesBetween(other, document) : []
  const listedMachines = list.data?.items ?? []
  const offeredMachines =
    machine.data && !listedMachines.some(({ id }) => id === posId) ? [machine.data, ...listedMachines] : listedMachines
  return (
    <aside className={classes.difference} aria-label={t('difference.title')}>
      <Title order={2} fz="lead" fw={600} lh="inherit">
        {t('difference.title')}
      </Title>
      <NativeSelect
        aria-label={t('difference.with')}
        data={[
          { value: '', label: t('difference.saved') },
          ...offeredMachines.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={posId ?? ''}
        onChange={({ currentTarget }) => compare(currentTarget.value || undefined)}
      />
      {machine.data && (
        <Flex
          component="p"
          rowGap="snug"
          columnGap="xs"
          wrap="wrap"
          align="center"
          justify="space-between"
          c="dimmed"
          fz="sm"
        >
          {reported ? (
            <span>
              {t('difference.reported')} <When at={reported.at} timeZone={configuration.timeZone} />
            </span>
          ) : (
            t('difference.noReport')
          )}
          <VpSync machine={machine.data} />
        </Flex>
      )}
      {reported && !reported.document && (
        <Text c="faint" fz="sm">
          {t('difference.hashOnly')}
        </Text>
      )}
      {other && changes.length === 0 && (
        <Text c="faint" fz="sm">
          {t('difference.none')}
        </Text>
      )}
      <Changes {...{ schema, document, changes, find, broken }} />
      {changes.length > mostShown && (
        <Text c="faint" fz="sm">
          {t('difference.more', { count: changes.length - mostShown })}
        </Text>
      )}
      {other && changes.length > 0 && !isFixed && (
        <Button variant="default" size="xs" onClick={() => take(other)}>
          {t(posId === undefined ? 'difference.undo' : 'difference.take')}
        </Button>
      )}
    </aside>
  )
}

interface ChangesProps extends Pick<Props, 'schema' | 'document' | 'find' | 'broken'> {
  changes: ReturnType<typeof vpChangesBetween>
}

/** The first changes, by the group of their parameter; each leads to its field. */
function Changes({ schema, document, changes, find, broken }: ChangesProps) {
  const words = useVpWords()
  const format = useFormat()
  const groups = Map.groupBy(changes.slice(0, mostShown), ({ path }) => words.say(schema, document, path).group)
  return [...groups].map(([group, some]) => (
    <section key={group} className={classes.group}>
      <h3>
        {group} <span className={classes.changes}>{format.number(some.length)}</span>
      </h3>
      <ul>
        {some.map(({ path, before, after }) => (
          <li key={path} data-broken={broken.includes(path)}>
            <UnstyledButton w="100%" py={7} px="tight" className="lights" onClick={() => find(path)}>
              <Stack component="span" gap="hair">
                <span>{words.say(schema, document, path).label}</span>
                <Group component="span" gap="snug" className={`${classes.values} breaks`}>
                  <del>{words.writeAt(schema, path, before)}</del>
                  <IconArrowRight size={13} aria-hidden />
                  <ins>{words.writeAt(schema, path, after)}</ins>
                </Group>
              </Stack>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  ))
}
