import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type NewPlanogram, planograms } from '#contract/catalogue/planogram.ts'
import { machines } from '#contract/machines/machine.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { idOf } from '#portal/app/search.ts'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { Create } from './planogramRecord.tsx'

const longestName = 120

/** A new planogram: empty, a copy, or from a machine's reported selections. */
export default function PlanogramCreateScreen() {
  const search = useAddressQuery()
  const copy = idOf(search, 'copy')
  const from = idOf(search, 'from')
  if (copy) return <Copied key={copy} planogramId={copy} />
  if (from) return <ReportedPlanogram key={from} posId={from} />
  return <Create />
}

const fieldsOf = ({ description, planogramType, lines }: NewPlanogram) => ({ description, planogramType, lines })

function Copied({ planogramId }: { planogramId: string }) {
  const { t } = useTranslation('planogram')
  const answer = useQuery(queryOf(planograms.getPlanogram, { params: { merchantId: allMerchants, planogramId } }))
  const { data } = answer
  if (answer.error && !data) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!data) return <ScreenSkeleton />
  const name = t('copy.name', { name: data.name }).slice(0, longestName)
  return <Create initial={{ ...fieldsOf(data), name }} merchantId={data.merchantId} />
}

function ReportedPlanogram({ posId }: { posId: string }) {
  const params = { merchantId: allMerchants, posId }
  const machine = useQuery(queryOf(machines.getMachine, { params }))
  const draft = useQuery(queryOf(planograms.draftPlanogram, { params }))
  const failed = [machine, draft].find(({ error, data }) => error && !data)
  if (failed) return <ErrorState error={failed.error} retry={failed.refetch} />
  if (!machine.data || !draft.data) return <ScreenSkeleton />
  return <Create initial={{ ...fieldsOf(draft.data), name: draft.data.name }} merchantId={machine.data.merchantId} />
}
