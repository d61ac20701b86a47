import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { remoteCommands } from '#contract/commands/remote-command.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'

const readAudit = 1

/** Requests an audit from the machine, after a confirmation. Hidden from users without the right to send commands. */
export function AuditNowButton({ posId, variant = 'default' }: { posId: string; variant?: 'default' | 'filled' }) {
  const { t } = useTranslation('audit')
  const merchant = useMerchant()
  const { me } = useSession()
  const send = useCommand(remoteCommands.sendRemoteCommand, { says: 'audit:now.sent' })
  const { ask, dialog } = useConfirm()
  if (!me || !roleMay(me.role, 'remoteCommand.write')) return null
  const order = { type: readAudit, parameters: {} } as const
  return (
    <>
      <Button
        variant={variant}
        onClick={() =>
          ask({
            title: t('now.title'),
            consequence: t('now.consequence'),
            confirm: t('now.confirm'),
            dismiss: { how: 'dontSend' },
            act: () =>
              send.mutateAsync({
                params: { merchantId: merchant.id },
                body: { machines: { ids: [posId] }, order },
                isWhole: true,
              }),
          })
        }
      >
        {t('now.name')}
      </Button>
      {dialog}
    </>
  )
}
