import { Button } from '@mantine/core'
import { IconCopy, IconFileTypePdf, IconPrinter, IconTag } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Planogram, PlanogramBlockers, planograms } from '#contract/catalogue/planogram.ts'
import { planogramTypes } from '#contract/vocabulary/catalogue/product.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { download } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { machinesInUse } from '#portal/ui/assigned/machinesInUse.ts'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { placeOfChange } from '../price-change/places.ts'

const tabs = {
  details: '/manage/planograms/$planogramId',
  machines: '/manage/planograms/$planogramId/pos',
  planogramCompare: '/manage/planograms/$planogramId/compare',
}

/** A planogram: its selections, its machines, and their reports. */
export default function PlanogramScreen() {
  const { t } = useTranslation('vocabulary')
  return (
    <RecordPage
      get={planograms.getPlanogram}
      param="planogramId"
      words="planogram"
      remove={planograms.deletePlanogram}
      inUse={machinesInUse('PlanogramInUse', PlanogramBlockers)}
      list="/manage/planograms"
      subtitle={({ planogramType }) => [t(`productType.${planogramTypes[planogramType]}`)]}
      actions={(planogram) => <Actions planogram={planogram} />}
      tabs={tabs}
      counts={({ machines }) => ({ machines })}
    />
  )
}

function Actions({ planogram: { id: planogramId, merchantId, name, machines } }: { planogram: Planogram }) {
  const { t, i18n } = useTranslation(['planogram', 'price-change'])
  const { me } = useSession()
  const go = useGo()
  const params = { merchantId, planogramId }
  const savePdf = () =>
    download(planograms.getPlanogramPdf, { params, query: { language: i18n.language as Language } }, `${name}.pdf`)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileTypePdf size={15} aria-hidden />}
        onClick={() => void savePdf().catch(toast.error)}
      >
        {t('planogram:pdf.do')}
      </Button>
      <Button variant="default" leftSection={<IconPrinter size={15} aria-hidden />} onClick={() => window.print()}>
        {t('planogram:print')}
      </Button>
      {me && machines > 0 && roleMay(me.role, 'price.write') && (
        <Button<typeof PlaceLink>
          component={PlaceLink}
          variant="default"
          leftSection={<IconTag size={15} aria-hidden />}
          place={placeOfChange({ planogram: { id: planogramId, machines }, rule: 'planogram' })}
        >
          {t('price-change:do')}
        </Button>
      )}
      {me && roleMay(me.role, 'planogram.write') && (
        <Button
          variant="default"
          leftSection={<IconCopy size={15} aria-hidden />}
          onClick={() => void go({ to: '/manage/planograms/create', search: { copy: planogramId } })}
        >
          {t('planogram:copy.do')}
        </Button>
      )}
    </>
  )
}
