import { Button, Flex, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconCopy, IconPencil, IconSend2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type PriceSummary, prices } from '#contract/catalogue/price.ts'
import { remoteCommandResults, remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { useCommand } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import { commandStatusLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge, StatusMark } from '#portal/ui/value/StatusBadge.tsx'
import { placeOfChange } from '../price-change/places.ts'
import classes from './Price.module.css'
import { priceSyncLooks } from './priceLooks.ts'

interface Props {
  params: { merchantId: string; posId: string }
  summary: PriceSummary
  mayWrite: boolean
  isEditing: boolean
  /** Unsaved changes of the grid. */
  unsaved: number
  edit: () => void
}

const states = ['sync', 'pending', 'editedOnDevice', 'chargedOtherwise'] as const
const { scheduled, running } = remoteCommandStatuses
const { success } = remoteCommandResults

/** Whether a command with prices is pending, and whether it can be cancelled. */
export const pendingOf = ({ command }: Pick<PriceSummary, 'command'>) => {
  const isPending = command !== null && (command.status === scheduled || command.status === running)
  return { isPending, canCancel: isPending && command.startedAt === null }
}

type Reason = 'unsaved' | 'pending' | 'nothing'
/** Why prices cannot be sent now. */
export function whyNotSend(summary: PriceSummary, unsaved: number): Reason | undefined {
  if (unsaved > 0) return 'unsaved'
  if (pendingOf(summary).isPending) return 'pending'
  return summary.unsent === 0 ? 'nothing' : undefined
}

/** The state of all prices of a machine in one line, the last command with prices, and the actions. */
export function PriceBar(props: Props) {
  const { t } = useTranslation(['price', 'vocabulary'])
  const format = useFormat()
  const go = useGo()
  const { params, summary, mayWrite } = props
  const { command } = summary
  const visibleStates = states.filter((state) => summary[state] > 0)
  return (
    <Panel component="section" mb="part" py="sm" px="md" aria-label={t('price:summary.name')}>
      <Flex align="center" justify="space-between" wrap="wrap" rowGap="sm" columnGap="lg">
        <Stack gap="tight" miw={0}>
          <Flex component="p" rowGap="tight" columnGap="md" wrap="wrap" align="center" fw={600}>
            {visibleStates.length === 0 && t('price:summary.none')}
            {visibleStates.map((state) => (
              <UnstyledButton
                key={state}
                className={classes.count}
                onClick={() => void go({ here: { syncs: state, page: undefined } }, { resetScroll: false })}
              >
                <StatusMark {...priceSyncLooks[state]} />
                {t(`price:summary.${state}`, { count: summary[state], number: format.number(summary[state]) })}
              </UnstyledButton>
            ))}
          </Flex>
          {command && (
            <Flex component="p" rowGap="hair" columnGap="near" wrap="wrap" align="center" c="dimmed" fz="sm">
              <PlaceLink
                place={{
                  to: '/devices/$posId/remote-commands',
                  params: { posId: params.posId },
                  search: { command: command.id },
                }}
              >
                {t('price:summary.lastSent', { name: command.createdBy ?? t('ui:provider') })}
              </PlaceLink>
              <When at={command.createdAt} />
              <StatusBadge of={commandStatusLooks} value={command.status} />
              {command.result !== success && command.resultInfo && <span>{command.resultInfo}</span>}
            </Flex>
          )}
        </Stack>
        {mayWrite && <PriceActs {...props} />}
      </Flex>
    </Panel>
  )
}

/** Sends, cancels, copies and edits prices; says why they cannot be sent now. */
function PriceActs({ params, summary, isEditing, unsaved, edit }: Props) {
  const { t } = useTranslation('price')
  const format = useFormat()
  const isPhone = useIsPhone()
  const { ask, dialog } = useConfirm()
  const send = useCommand(prices.sendPrices, {
    says: ({ sent }) => ({ key: 'price:send.done', values: many(sent) }),
  })
  const cancel = useCommand(prices.cancelPrices, { says: 'price:cancel.done' })
  const many = (count: number) => ({ count, number: format.number(count) })
  const { unsent } = summary
  const reason = whyNotSend(summary, unsaved)
  const { isPending, canCancel } = pendingOf(summary)

  const askSend = () =>
    ask({
      title: t('price:send.title', many(unsent)),
      consequence: t('price:send.consequence', many(unsent)),
      confirm: t('price:send.do', many(unsent)),
      dismiss: { how: 'dontSend' },
      act: () => send.mutateAsync({ params }),
    })
  const askCancel = () =>
    ask({
      title: t('price:cancel.title'),
      consequence: t('price:cancel.consequence'),
      confirm: t('price:cancel.do'),
      dismiss: { how: 'leave' },
      isDanger: true,
      act: () => cancel.mutateAsync({ params }),
    })
  return (
    <>
      <Group gap="near" justify="flex-end" className={classes.acts}>
        {canCancel && (
          <Button variant="default" onClick={askCancel}>
            {t('price:cancel.do')}
          </Button>
        )}
        {!isEditing && (
          <Button<typeof PlaceLink>
            component={PlaceLink}
            variant="default"
            leftSection={<IconCopy size={15} aria-hidden />}
            place={placeOfChange({ posIds: [params.posId], rule: 'machine' })}
          >
            {t('price:copy')}
          </Button>
        )}
        {!isEditing && !isPhone && (
          <Button variant="default" leftSection={<IconPencil size={15} aria-hidden />} onClick={edit}>
            {t('price:edit.do')}
          </Button>
        )}
        {!(isPending && reason === 'pending' && unsent === 0) && (
          <Button
            leftSection={<IconSend2 size={15} aria-hidden />}
            disabled={reason !== undefined}
            loading={send.isPending}
            aria-describedby={reason ? 'why-not-send' : undefined}
            onClick={askSend}
          >
            {t(unsent > 0 ? 'price:send.do' : 'price:send.name', many(unsent))}
          </Button>
        )}
        {reason && (
          <Text id="why-not-send" c="dimmed" fz="fine" ta={{ base: 'start', xs: 'end' }} className={classes.reason}>
            {t(`price:send.why.${reason}`)}
          </Text>
        )}
      </Group>
      {dialog}
    </>
  )
}
