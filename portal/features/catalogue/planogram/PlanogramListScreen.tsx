import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type PlanogramRow, planogramColumns, planogramOrds, planograms } from '#contract/catalogue/planogram.ts'
import { planogramTypes } from '#contract/vocabulary/catalogue/product.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { FromMachineDialog } from './FromMachineDialog.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: PlanogramRow) => ({ to: '/manage/planograms/$planogramId', params: { planogramId: id } })

const columns = recordColumns<PlanogramRow>(planogramColumns, planogramOrds, ({ t }: Say) => ({
  lines: ['planogramType'],
  hidden: ['createdAt'],
  offCards: ['description'],
  looks: {
    planogramType: { cell: ({ planogramType }) => t(`vocabulary:productType.${planogramTypes[planogramType]}`) },
  },
}))

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('planogram:filter.search') },
  anyOf('planogramTypes', t('planogram:field.planogramType'), Object.keys(planogramTypes), (value) =>
    t(`vocabulary:productType.${planogramTypes[value as 'A' | 'B']}`),
  ),
  whether(
    'hasMachines',
    t('planogram:filter.machines'),
    t('planogram:filter.withMachines'),
    t('planogram:filter.withoutMachines'),
  ),
]

/** The planograms of the merchant. */
export default function PlanogramListScreen() {
  const { t } = useTranslation('planogram')
  const { me } = useSession()
  const [isChoosing, setChoosing] = useState(false)
  const mayWrite = Boolean(me && roleMay(me.role, 'planogram.write'))
  return (
    <>
      <ListScreen
        id="planograms"
        words="planogram"
        row={planograms.listPlanograms}
        columns={columns}
        filters={filters}
        order={order}
        placeOf={placeOf}
        create={{ name: t('create'), needs: 'planogram.write', does: { to: '/manage/planograms/create' } }}
        actions={
          mayWrite && (
            <Button
              variant="default"
              leftSection={<IconFileImport size={15} aria-hidden />}
              onClick={() => setChoosing(true)}
            >
              {t('from.do')}
            </Button>
          )
        }
        exports="planograms"
      />
      {isChoosing && <FromMachineDialog close={() => setChoosing(false)} />}
    </>
  )
}
