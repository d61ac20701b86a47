import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import type { CustomConfig } from '#contract/configurations/configuration.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useMachine } from '#portal/features/machines/machine/useMachine.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Difference } from './Difference.tsx'

/** The target parameters of the machine's no-vend profile, each beside the machine's current value. */
export function ManagedParameters({ custom: { posId, managed, reported } }: { custom: CustomConfig }) {
  const { t } = useTranslation('configuration')
  const { me } = useSession()
  const { data: machine } = useMachine(posId)
  const noVendProfileId = machine?.noVendProfileId
  const now = reported?.content ?? {}
  return (
    <Card
      title={t('custom.managed')}
      actions={
        noVendProfileId &&
        me &&
        roleMay(me.role, 'noVendProfile.read') && (
          <PlaceLink place={{ to: '/manage/no-vend-profiles/$noVendProfileId', params: { noVendProfileId } }}>
            {t('custom.openProfile')}
          </PlaceLink>
        )
      }
    >
      <Text c="dimmed" fz="sm">
        {t('custom.managedHint')}
      </Text>
      <Difference
        before={Object.fromEntries(
          managed.flatMap(({ name }) => (Object.hasOwn(now, name) ? [[name, now[name] ?? '']] : [])),
        )}
        after={Object.fromEntries(managed.map(({ name, value }) => [name, value]))}
      />
    </Card>
  )
}
