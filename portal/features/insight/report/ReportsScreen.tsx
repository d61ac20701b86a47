import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import classes from './Report.module.css'
import { ReportForm } from './ReportForm.tsx'
import { definitionIn, searchOfReport } from './reportSearch.ts'
import { SavedReports } from './SavedReports.tsx'

/** A new report, and the saved ones. */
export default function ReportsScreen() {
  const { t } = useTranslation('report')
  const { isAll } = useMerchant()
  const go = useGo()
  const search = useAddressQuery()
  const [report, setReport] = useState(() => definitionIn(search))
  return (
    <>
      <ScreenHeader title={t('title')} />
      <div className={classes.screen}>
        <Card title={t('new')}>
          <form
            className={classes.new}
            onSubmit={(event) => {
              event.preventDefault()
              void go({ to: '/transactions/reports/result', search: searchOfReport(report) })
            }}
          >
            <ReportForm value={report} set={setReport} />
            <div className={classes.buttons}>
              <Button type="submit">{t('show')}</Button>
            </div>
          </form>
        </Card>
        {!isAll && <SavedReports />}
      </div>
    </>
  )
}
