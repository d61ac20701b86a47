import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { remoteCommands } from '#contract/commands/remote-command.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'

const readConfig = 9

/** Requests the machine's configuration. Hidden from users without the right to send commands. */
export function ReadConfigButton({ posId }: { posId: string }) {
  const { t } = useTranslation('configuration')
  const merchant = useMerchant()
  const { me } = useSession()
  const send = useCommand(remoteCommands.sendRemoteCommand, { says: 'configuration:read.sent' })
  if (!me || !roleMay(me.role, 'remoteCommand.write')) return null
  return (
    <Button
      variant="default"
      loading={send.isPending}
      onClick={() =>
        send.mutate({
          params: { merchantId: merchant.id },
          body: { machines: { ids: [posId] }, order: { type: readConfig, parameters: {} } },
          isWhole: true,
        })
      }
    >
      {t('read.name')}
    </Button>
  )
}
