import { Box, Button, Flex, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type CustomConfig, configurations } from '#contract/configurations/configuration.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { commandResultLooks, commandStatusLooks } from '#portal/ui/value/looks.ts'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { CustomConfigForm } from './CustomConfigForm.tsx'
import { ManagedParameters } from './ManagedParameters.tsx'
import { ReadConfigButton } from './ReadConfigButton.tsx'
import { useConfigWords } from './useConfigWords.ts'

/** The target configuration of a machine, and whether the machine has it. */
export default function CustomConfigTab() {
  const merchant = useMerchant()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const params = { merchantId: merchant.id, posId }
  const answer = useQuery(queryOf(configurations.getCustomConfig, { params }))
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  return answer.data ? <CustomConfigCard custom={answer.data} /> : <Box py="wide" c="dimmed" aria-busy="true" />
}

const syncLooks = {
  none: { tone: 'mute', mark: 'dash' },
  sync: { tone: 'ok', mark: 'check' },
  pending: { tone: 'warn', mark: 'clock' },
} as const

function CustomConfigCard({ custom }: { custom: CustomConfig }) {
  const { t } = useTranslation(['configuration', 'vocabulary'])
  const { me } = useSession()
  const words = useConfigWords()
  const merchant = useMerchant()
  const { ask, dialog } = useConfirm()
  const params = { merchantId: merchant.id, posId: custom.posId }
  const send = useCommand(configurations.sendCustomConfig, { says: 'configuration:custom.sent' })
  const { sync, editedOn, command, reported, timeZone, version } = custom
  const mayWrite = me && roleMay(me.role, 'config.write')
  const isOnItsWay = command !== null && command.status <= remoteCommandStatuses.running
  const isUnsent = sync === 'pending' && command?.version !== version
  const look = syncLooks[sync]
  const at = (value: string | null | undefined) => value && <When at={value} as="exact" timeZone={timeZone} />
  return (
    <Stack gap="part">
      <Card
        title={t('configuration:custom.title')}
        actions={
          <Flex component="span" gap="xs" wrap="wrap" align="flex-end">
            <ReadConfigButton posId={custom.posId} />
            {mayWrite && (
              <Button
                leftSection={<IconSend size={15} aria-hidden />}
                disabled={custom.parameters.length + custom.managed.length === 0 || isOnItsWay}
                onClick={() =>
                  ask({
                    title: t('configuration:custom.ask'),
                    consequence: t('configuration:custom.consequence', {
                      count: custom.parameters.length + custom.managed.length,
                    }),
                    confirm: t('configuration:custom.send'),
                    dismiss: { how: 'dontSend' },
                    act: () => send.mutateAsync({ params, body: { version } }),
                  })
                }
              >
                {t('configuration:custom.send')}
              </Button>
            )}
          </Flex>
        }
      >
        <Flex rowGap="near" columnGap="md" wrap="wrap" align="center" justify="space-between" mb="sm">
          <Badge tone={look.tone} mark={look.mark}>
            {t(`configuration:sync.${sync}`)}
          </Badge>
          <Text c="dimmed" fz="sm">
            {t(
              sync === 'pending'
                ? `configuration:why.${editedOn === 'device' ? 'device' : isOnItsWay ? 'onItsWay' : isUnsent ? 'unsent' : 'notRead'}`
                : `configuration:why.${sync}`,
            )}
          </Text>
        </Flex>
        <Facts
          unknown={t('configuration:never')}
          facts={[
            { name: t('configuration:custom.editedAt'), value: at(custom.editedAt) },
            {
              name: t('configuration:custom.editedBy'),
              value: custom.editedAt && (custom.editedBy ?? t('ui:provider')),
            },
            {
              name: t('configuration:custom.command'),
              value: command && (
                <StatusBadge
                  of={commandStatusLooks}
                  value={command.status}
                  detail={
                    command.result !== null && command.result !== 0
                      ? t(commandResultLooks[command.result].word)
                      : undefined
                  }
                />
              ),
            },
            { name: t('configuration:custom.sentAt'), value: at(command?.createdAt) },
            { name: t('configuration:custom.appliedAt'), value: at(command?.executedAt) },
            { name: t('configuration:custom.resultInfo'), value: command?.resultInfo },
            { name: t('configuration:column.readAt'), value: at(reported?.readAt) },
            { name: t('configuration:column.confirmedAt'), value: at(reported?.confirmedAt) },
            { name: t('configuration:column.origin'), value: reported && words.origin(reported) },
            { name: t('configuration:column.port'), value: reported && words.port(reported) },
          ]}
        />
      </Card>
      <CustomConfigForm custom={custom} isReadOnly={!mayWrite} />
      {custom.managed.length > 0 && <ManagedParameters custom={custom} />}
      {dialog}
    </Stack>
  )
}
