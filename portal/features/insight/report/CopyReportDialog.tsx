import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reports, type SavedReport } from '#contract/insight/report.ts'
import { useCommand } from '#portal/app/api.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { ColleaguesField } from './ColleaguesField.tsx'
import classes from './Report.module.css'

/** Copies a saved report to colleagues. */
export function CopyReportDialog({ report, close }: { report: SavedReport; close: () => void }) {
  const { t } = useTranslation(['report', 'ui'])
  const [userIds, setUserIds] = useState<readonly string[]>([])
  const { merchantId, id: reportId } = report
  const copy = useCommand(reports.copyReport, {
    says: () => ({ key: 'report:copy.done', values: { count: userIds.length } }),
    onDone: close,
  })
  return (
    <Dialog title={t('copy.title', { name: report.name })} onClose={close}>
      <form
        className={classes.dialog}
        onSubmit={(event) => {
          event.preventDefault()
          copy.mutate({ params: { merchantId, reportId }, body: { userIds: [...userIds] } })
        }}
      >
        <Text c="dimmed" fz="sm">
          {t('copy.text')}
        </Text>
        <ColleaguesField merchantId={merchantId} label={t('copy.to')} value={userIds} change={setUserIds} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={close}>
            {t('ui:cancel')}
          </Button>
          <Button type="submit" loading={copy.isPending} disabled={userIds.length === 0}>
            {t('copy.do')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
