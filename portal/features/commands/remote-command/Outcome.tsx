import { Box, Button, Flex, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type RemoteCommand, remoteCommands, type SendOutcome } from '#contract/commands/remote-command.ts'
import { call, metaOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { Note } from '#portal/ui/page/Note.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { commandStatusLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { CommandProgress } from './CommandProgress.tsx'
import { CommandResult } from './CommandResult.tsx'
import common from './CommandText.module.css'
import { useCommandName } from './commandNames.ts'
import { isEnded } from './commandState.ts'
import classes from './Outcome.module.css'

const readAudit = 1
const pollMs = 5_000
const perPage = 500

interface Props {
  type: number
  /** Without a batch nothing was sent. */
  outcome: Omit<SendOutcome, 'orderId'> & { orderId?: string }
  again: () => void
  /** Of one batch, if given. */
  showHistory: (orderId?: string) => void
}

/** The results of a batch, machine by machine, until the last command has ended. */
export function Outcome({ type, outcome, again, showHistory }: Props) {
  const { t } = useTranslation(['remote-command', 'errors'])
  const format = useFormat()
  const merchant = useMerchant()
  const nameOf = useCommandName()
  const { orderId = '', sent, refused } = outcome
  const params = { merchantId: merchant.id }
  // Live hints refresh them; without a stream, the clock does.
  const { data } = useQuery({
    queryKey: [remoteCommands.listRemoteCommands.path, params, { orderIds: [orderId], all: true }] as const,
    meta: metaOf(remoteCommands.listRemoteCommands),
    queryFn: async ({ signal }) => {
      const ask = (page: number) =>
        call(
          remoteCommands.listRemoteCommands,
          { params, query: { orderIds: [orderId], page, size: perPage, ord: 'posName', ordType: 'ASC' } },
          signal,
        )
      const pages = await Promise.all(
        Array.from({ length: Math.ceil(sent.length / perPage) }, (_, index) => ask(index + 1)),
      )
      return pages.flatMap(({ items }) => items)
    },
    enabled: sent.length > 0,
    refetchInterval: ({ state }) => (latestOf(sent, state.data ?? []).every(isEnded) ? false : pollMs),
  })
  const commands = latestOf(sent, data ?? [])
  const done = commands.filter(isEnded).length
  return (
    <Panel component="section" maw={980} pt="md" pb="wide" px="wide">
      <Stack gap="part">
        <Flex rowGap="tight" columnGap="sm" wrap="wrap" align="baseline" justify="space-between">
          <Title order={2} fz="lead" fw={650} lh="inherit">
            {t('remote-command:outcome.title', { command: nameOf(type) })}
          </Title>
          {sent.length > 0 && (
            <span className={common.fine} role="status">
              {t('remote-command:outcome.progress', { done: format.number(done), total: format.number(sent.length) })}
            </span>
          )}
        </Flex>
        {sent.length > 0 && (
          <Box
            h={6}
            bdrs={3}
            bg="var(--sunken)"
            className={`${classes.progress} clips`}
            role="progressbar"
            aria-label={t('remote-command:outcome.title', { command: nameOf(type) })}
            aria-valuenow={done}
            aria-valuemin={0}
            aria-valuemax={sent.length}
          >
            <span style={{ width: `${(done / sent.length) * 100}%` }} />
          </Box>
        )}
        {sent.length === 0 && (
          <Note tone="warn" bdrs="inner" role="alert">
            {t('remote-command:outcome.allRefused')}
          </Note>
        )}
        <Panel component="ul" radius="inner" bg="transparent" aria-label={t('remote-command:outcome.list')}>
          {commands.map((command) => (
            <SentRow key={command.id} command={command} />
          ))}
          {refused.map(({ posId, posName, code }) => (
            <li key={posId} className={`${classes.result} ruled`}>
              <PlaceLink
                place={{ to: '/devices/$posId/remote-commands', params: { posId } }}
                className={`quiet ${classes.machine}`}
              >
                {posName}
              </PlaceLink>
              <Badge tone="warn" mark="dash">
                {t('remote-command:outcome.refused')}
              </Badge>
              <span className={common.fine}>{t(`errors:${code}`)}</span>
            </li>
          ))}
        </Panel>
        <Flex gap="near" wrap="wrap" className={classes.buttons}>
          <Button onClick={again}>{t('remote-command:outcome.again')}</Button>
          <Button variant="default" onClick={() => showHistory(outcome.orderId)}>
            {t(outcome.orderId ? 'remote-command:outcome.order' : 'remote-command:outcome.history')}
          </Button>
        </Flex>
      </Stack>
    </Panel>
  )
}

/** The current state of the sent commands. */
function latestOf(sent: readonly RemoteCommand[], commands: readonly RemoteCommand[]): RemoteCommand[] {
  const byId = new Map(commands.map((command) => [command.id, command]))
  return sent.map((command) => byId.get(command.id) ?? command)
}

function SentRow({ command }: { command: RemoteCommand }) {
  const { t } = useTranslation('remote-command')
  const { posId, posName, type, status, timeZone } = command
  const hasAudit = type === readAudit && isEnded(command) && command.result === 0
  return (
    <li className={`${classes.result} ruled`}>
      <PlaceLink
        place={{ to: '/devices/$posId/remote-commands', params: { posId } }}
        className={`quiet ${classes.machine}`}
      >
        {posName}
      </PlaceLink>
      <StatusBadge of={commandStatusLooks} value={status} />
      <Flex
        component="span"
        rowGap="tight"
        columnGap="sm"
        wrap="wrap"
        align="center"
        justify="flex-end"
        c="dimmed"
        fz="sm"
      >
        <CommandResult command={command} />
        <CommandProgress command={command} />
        {command.resultInfo && (
          <Text span className="breaks">
            {command.resultInfo}
          </Text>
        )}
        {isEnded(command) && <When at={command.executedAt} timeZone={timeZone} />}
        {hasAudit && (
          <PlaceLink place={{ to: '/devices/$posId/audits', params: { posId } }} className={`${classes.link} quiet`}>
            {t('outcome.audits')}
          </PlaceLink>
        )}
      </Flex>
    </li>
  )
}
