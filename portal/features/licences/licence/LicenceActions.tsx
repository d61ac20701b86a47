import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  IconDots,
  IconKey,
  IconLinkOff,
  IconMail,
  IconPlayerPause,
  IconPlayerPlay,
  IconTransfer,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Licence } from '#contract/licences/licence.ts'
import { licenceActRows } from '#contract/licences/licence-acts.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import { possibleSteps } from '#domain/licences/licence-step.ts'
import { endOf } from '#domain/licences/licence-term.ts'
import { useCommand } from '#portal/app/api.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { useNow } from '#portal/ui/time/When.tsx'
import { KeyDialog } from './KeyDialog.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { UnassignDialog } from './UnassignDialog.tsx'

/** The possible steps of a licence, and their confirmations. */
function useLicenceSteps(licence: Licence) {
  const { t } = useTranslation('licence')
  const { ask, dialog } = useConfirm()
  const [key, setKey] = useState<string>()
  const send = useCommand(licenceActRows.sendLicence, { says: 'licence:send.done' })
  const issue = useCommand(licenceActRows.issueLicenceKey, { onDone: ({ licenceKey }) => setKey(licenceKey) })
  const deactivate = useCommand(licenceActRows.deactivateLicence, { says: 'licence:deactivate.done' })
  const reactivate = useCommand(licenceActRows.reactivateLicence, { says: 'licence:reactivate.done' })
  const params = { merchantId: licence.merchantId, licenceId: licence.id }
  const facts = {
    status: licence.status,
    type: licence.type,
    unassignCase: licence.unassignCase,
    isSent: licence.sentAt !== null,
    isConfirmed: licence.confirmedAt !== null,
    endsAt: endOf(licence.expiresOn, licence.timeZone),
  }
  const possible = new Set(possibleSteps(facts, useNow()))
  const { name } = licence
  const asking = (
    words: 'send' | 'issueKey' | 'deactivate' | 'reactivate',
    act: () => Promise<unknown>,
    confirm = t(`${words}.do`),
  ) =>
    ask({
      title: t(`${words}.title`, { name }),
      consequence: t(`${words}.consequence`, { email: licence.clientEmail }),
      confirm,
      dismiss: { how: words === 'send' ? 'dontSend' : 'leave' },
      isDanger: words === 'deactivate' || words === 'issueKey',
      act,
    })
  return {
    possible,
    askSend: () => asking('send', () => send.mutateAsync({ params })),
    askKey: () => asking('issueKey', () => issue.mutateAsync({ params }), t('issueKey.confirm')),
    askDeactivate: () => asking('deactivate', () => deactivate.mutateAsync({ params })),
    askReactivate: () => asking('reactivate', () => reactivate.mutateAsync({ params })),
    dialogs: (
      <>
        {dialog}
        {key !== undefined && <KeyDialog name={name} licenceKey={key} close={() => setKey(undefined)} />}
      </>
    ),
  }
}

/** What users may do with a licence in its status. */
export function LicenceActions({ licence }: { licence: Licence }) {
  const { t } = useTranslation('licence')
  const [open, setOpen] = useState<'move' | 'unassign'>()
  const { possible, askSend, askKey, askDeactivate, askReactivate, dialogs } = useLicenceSteps(licence)
  const rest = [
    possible.has('issueKey') && (
      <Menu.Item key="key" leftSection={<IconKey size={15} aria-hidden />} onClick={askKey}>
        {t('issueKey.do')}
      </Menu.Item>
    ),
    possible.has('deactivate') && (
      <Menu.Item key="deactivate" leftSection={<IconPlayerPause size={15} aria-hidden />} onClick={askDeactivate}>
        {t('deactivate.do')}
      </Menu.Item>
    ),
    possible.has('unassign') && (
      <Menu.Item
        key="unassign"
        color="crit"
        leftSection={<IconLinkOff size={15} aria-hidden />}
        onClick={() => setOpen('unassign')}
      >
        {t('unassign.do')}
      </Menu.Item>
    ),
  ].filter(Boolean)
  const close = () => setOpen(undefined)
  return (
    <>
      {possible.has('move') && (
        <Button variant="default" leftSection={<IconTransfer size={15} aria-hidden />} onClick={() => setOpen('move')}>
          {t('move.do')}
        </Button>
      )}
      {possible.has('reactivate') && (
        <Button leftSection={<IconPlayerPlay size={15} aria-hidden />} onClick={askReactivate}>
          {t('reactivate.do')}
        </Button>
      )}
      {possible.has('send') && (
        <Button
          variant={licence.status === licenceStatuses.sent ? 'default' : 'filled'}
          leftSection={<IconMail size={15} aria-hidden />}
          onClick={askSend}
        >
          {t(licence.status === licenceStatuses.sent ? 'send.again' : 'send.do')}
        </Button>
      )}
      {rest.length > 0 && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t('more')}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>{rest}</Menu.Dropdown>
        </Menu>
      )}
      {dialogs}
      {open === 'move' && <MoveDialog licence={licence} close={close} />}
      {open === 'unassign' && <UnassignDialog licence={licence} close={close} />}
    </>
  )
}
