import { Button, Flex } from '@mantine/core'
import { IconAntennaBarsOff, IconBottleOff, IconCoins, IconHeartbeat, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { type DemoAction, demo, demoActions } from '#contract/platform/demo.ts'
import { spaConfiguration } from '#contract/platform/spa-configuration.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import classes from './DemoControls.module.css'

const icons = {
  jam: <IconCoins size={15} aria-hidden />,
  cutSignal: <IconAntennaBarsOff size={15} aria-hidden />,
  emptySelection: <IconBottleOff size={15} aria-hidden />,
  editPrice: <IconTag size={15} aria-hidden />,
  recover: <IconHeartbeat size={15} aria-hidden />,
} as const satisfies Record<DemoAction, unknown>

/** Triggers events at a simulated machine, to watch the effect. For the super admin of a demo, else nothing. */
export function DemoControls({ machine }: { machine: Machine }) {
  const { t } = useTranslation('demo')
  const { me } = useSession()
  const may = Boolean(me && roleMay(me.role, 'demo.control'))
  const { data: configuration } = useQuery({
    ...queryOf(spaConfiguration.getSpaConfiguration),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: may,
  })
  const params = { merchantId: machine.merchantId, posId: machine.id }
  const { data: simulation } = useQuery({
    ...queryOf(demo.getSimulation, { params }),
    staleTime: 60_000,
    enabled: may && configuration?.demo === true,
  })
  const act = useCommand(demo.actOnMachine, { says: ({ action }) => ({ key: `demo:done.${action}` }) })
  if (!simulation?.isSimulated) return null
  return (
    <Card title={t('title')} note={t('note')}>
      <Flex gap="near" wrap="wrap" className={classes.acts}>
        {demoActions.map((action) => (
          <Button
            key={action}
            variant="default"
            leftSection={icons[action]}
            disabled={act.isPending}
            onClick={() => act.mutate({ params, body: { action } })}
          >
            {t(`action.${action}`)}
          </Button>
        ))}
      </Flex>
    </Card>
  )
}
