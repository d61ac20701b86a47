import { Box, Button, Flex, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ClaimDetails, type ClaimLogEntry, claimLogMinutes } from '#contract/key-portal/claim.ts'
import { describeAlarm } from '#domain/alarms/alarm-kind.ts'
import { isRefundable } from '#domain/key-portal/claim.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import classes from './Claim.module.css'

interface Props {
  claim: ClaimDetails
  picked: string | undefined
  pick: (transactionId: string | undefined) => void
}

/** What the machine itself reported in these minutes. A sale can be chosen for the refund. */
export function ClaimLog({ claim, picked, pick }: Props) {
  const { t } = useTranslation('claim')
  const { log } = claim
  return (
    <Card title={t('part.log')} isFlush>
      <p className={classes.about}>{t('log.hint', { minutes: claimLogMinutes })}</p>
      {log.length === 0 && <p className={classes.none}>{t('log.none')}</p>}
      <ol>
        {log.map((entry) => (
          <Group
            key={`${entry.kind} ${entry.id}`}
            component="li"
            gap="part"
            wrap="nowrap"
            py="xs"
            px="wide"
            className={classes.entry}
            data-kind={entry.kind}
            data-failed={entry.isFailed || (entry.kind === 'alarm' && entry.isActive) || undefined}
            data-picked={entry.id === picked || undefined}
          >
            <Clock at={entry.at} timeZone={claim.timeZone} />
            <LogEntryText entry={entry} claim={claim} />
            {claim.state === 'open' && isRefundable(entry) && (
              <Button
                size="xs"
                variant={entry.id === picked ? 'filled' : 'default'}
                aria-pressed={entry.id === picked}
                onClick={() => pick(entry.id === picked ? undefined : entry.id)}
              >
                {t(entry.id === picked ? 'log.picked' : 'log.pick')}
              </Button>
            )}
          </Group>
        ))}
      </ol>
    </Card>
  )
}

function Clock({ at, timeZone }: { at: string; timeZone: string }) {
  const { locale } = useFormat()
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone }).format(new Date(`${at}Z`))
  return (
    <Box component="time" flex="none" w={{ base: 'auto', xs: 76 }} c="dimmed" fz="sm">
      {clock}
    </Box>
  )
}

function LogEntryText({ entry, claim }: { entry: ClaimLogEntry; claim: ClaimDetails }) {
  const { t } = useTranslation(['claim', 'machine-event'])
  const { money } = useFormat()
  const { kind, code, amount } = entry
  const { name, detail } = code ? describeAlarm(code) : { name: undefined, detail: undefined }
  const event = name ? `${t(`machine-event:${name}`)}${detail ? ` (${detail})` : ''}` : code
  const notes = [
    entry.isFailed && t('claim:log.failed'),
    entry.isRefunded && t('claim:log.refunded'),
    entry.isRefunded && entry.refundable
      ? t('claim:log.refundable', { amount: money(entry.refundable, claim.currency) })
      : null,
    kind !== 'transaction' && entry.isActive !== null && t(entry.isActive ? 'claim:log.active' : 'claim:log.ended'),
    entry.mediaSerial,
    entry.text,
  ].filter(Boolean)
  return (
    <Flex
      component="span"
      rowGap="hair"
      columnGap="xs"
      wrap="wrap"
      align="baseline"
      flex={{ base: '1 1 70%', xs: '1' }}
      miw={0}
    >
      <strong>{kind === 'transaction' ? (entry.product ?? t('claim:log.kind.transaction')) : event}</strong>
      {kind === 'transaction' && amount !== null && <Amount minor={amount} currency={claim.currency} />}
      <span className={classes.fine}>{[t(`claim:log.kind.${kind}`), ...notes].join(' · ')}</span>
    </Flex>
  )
}
