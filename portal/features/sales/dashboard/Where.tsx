import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { machines } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { placeOfMachine, placeOfMachines } from '#portal/features/machines/machine/places.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/page/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/page/lazyPart.tsx'
import classes from './Dashboard.module.css'

const MachineMap = lazyPart(
  async () => ({ default: (await import('#portal/ui/map/MachineMap.tsx')).MachineMap }),
  ['vocabulary'],
)

/** Where the machines stand, in the colour of the worst of each place. */
export function Where() {
  const { t } = useTranslation('dashboard')
  const merchant = useMerchant()
  const answer = useQuery(queryOf(machines.mapMachines, { params: { merchantId: merchant.id } }))
  const waiting = <div className={classes.map} />
  return (
    <Card title={t('where.title')} note={t('where.note')} className={classes.where}>
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} retry={answer.refetch} />
      ) : answer.data ? (
        <Part fallback={waiting}>
          <MachineMap points={answer.data} placeOf={placeOfMachine} placeOfMany={placeOfMachines} height={mapHeight} />
        </Part>
      ) : (
        waiting
      )}
    </Card>
  )
}

/** As high as the card of what needs somebody, less its own frame. */
const mapHeight = 380
