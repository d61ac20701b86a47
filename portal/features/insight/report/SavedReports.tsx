import { Button, Flex, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { reports, type SavedReport } from '#contract/insight/report.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { usePeriodName } from '#portal/ui/time/PeriodPanel.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { CopyReportDialog } from './CopyReportDialog.tsx'
import classes from './Report.module.css'
import { definitionOf, groupingIn, searchOfReport } from './reportSearch.ts'
import { useWeekdays } from './SaveReportDialog.tsx'

/** The reader's saved reports and those shared at the merchant. */
export function SavedReports() {
  const { t } = useTranslation('report')
  const { id: merchantId } = useMerchant()
  const { data, error, refetch } = useQuery(queryOf(reports.listReports, { params: { merchantId } }))
  return (
    <Card title={t('saved.title')} isFlush>
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : data?.length === 0 ? (
        <EmptyState title={t('saved.none')} text={t('saved.noneText')} />
      ) : (
        <ul aria-busy={!data}>
          {data?.map((report) => (
            <SavedReportRow key={report.id} report={report} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function SavedReportRow({ report }: { report: SavedReport }) {
  const { t } = useTranslation(['report', 'ui'])
  const { me } = useSession()
  const periodName = usePeriodName()
  const { ask, dialog } = useConfirm()
  const params = { merchantId: report.merchantId, reportId: report.id }
  const remove = useCommand(reports.deleteReport, { says: 'report:deleted' })
  const send = useCommand(reports.sendReport, {
    says: () => ({ key: 'report:sentToast', values: { email: me?.email ?? '' } }),
  })
  const leave = useCommand(reports.leaveReport, { says: 'report:readers.left' })
  const [isCopying, setCopying] = useState(false)
  const mayDelete = report.isMine || (report.isShared && Boolean(me && roleMay(me.role, 'report.manage')))
  const by = groupingIn(report).map((one) =>
    one === 'parameter' && report.parameter ? report.parameter : t(`by.${one}`),
  )
  const days = report.preset ? [report.preset] : [report.startDate ?? '', report.endDate ?? '']
  return (
    <Flex
      component="li"
      rowGap="near"
      columnGap="md"
      wrap="wrap"
      align="center"
      py="sm"
      px="md"
      className={classes.one}
    >
      <Stack gap="hair" align="flex-start" flex="1 1 260px" miw={0}>
        <PlaceLink
          place={{ to: '/transactions/reports/result', search: searchOfReport(definitionOf(report), report.id) }}
          className={classes.name}
        >
          {report.name}
        </PlaceLink>
        <Text span c="dimmed" fz="sm">
          {[t(`type.${report.type}`), by.join(', '), periodName(days)].join(' · ')}
        </Text>
        {report.schedule && (report.isMine || report.isRead) && <Schedule report={report} />}
        {report.isMine && <Readers report={report} />}
        {report.failure && report.isMine && (
          <Text span c="crit" fz="sm">
            {t('schedule.notSent', { reason: t(`failure.${report.failure}`) })}
          </Text>
        )}
      </Stack>
      {report.isRead && <Badge tone="info">{t('readers.by', { name: report.owner ?? t('ui:provider') })}</Badge>}
      {report.isShared && (
        <Badge tone="mute">
          {report.isMine || report.owner === null ? t('saved.sharedByYou') : t('saved.shared', { name: report.owner })}
        </Badge>
      )}
      <Flex gap="tight" wrap="wrap">
        {report.isMine && (
          <Button variant="subtle" size="xs" loading={send.isPending} onClick={() => send.mutate({ params })}>
            {t('send')}
          </Button>
        )}
        <Button variant="subtle" size="xs" onClick={() => setCopying(true)}>
          {t('copy.do')}
        </Button>
        {report.isRead && (
          <Button variant="subtle" size="xs" loading={leave.isPending} onClick={() => leave.mutate({ params })}>
            {t('readers.leave')}
          </Button>
        )}
        {mayDelete && (
          <Button
            variant="subtle"
            size="xs"
            color="red"
            onClick={() =>
              ask({
                title: t('delete.title', { name: report.name }),
                consequence: t('delete.text'),
                confirm: t('delete.do'),
                dismiss: { how: 'keep', count: 1 },
                isDanger: true,
                act: () => remove.mutateAsync({ params }),
              })
            }
          >
            {t('delete.do')}
          </Button>
        )}
      </Flex>
      {dialog}
      {isCopying && <CopyReportDialog report={report} close={() => setCopying(false)} />}
    </Flex>
  )
}

/** Who gets the report's mails beside the owner, and who did not get the last one. */
function Readers({ report: { readers, schedule } }: { report: SavedReport }) {
  const { t } = useTranslation(['report', 'ui'])
  const nameOf = ({ name }: SavedReport['readers'][number]) => name ?? t('ui:provider')
  if (readers.length === 0 || !schedule) return null
  return (
    <>
      <Text span c="dimmed" fz="sm">
        {t('report:readers.with', { names: readers.map(nameOf).join(', ') })}
      </Text>
      {readers.map(
        (reader) =>
          reader.failure && (
            <Text key={reader.id} span c="crit" fz="sm">
              {t('report:readers.notSent', { name: nameOf(reader), reason: t(`report:failure.${reader.failure}`) })}
            </Text>
          ),
      )}
    </>
  )
}

function Schedule({ report: { schedule, nextAt, lastSentAt, timeZone } }: { report: SavedReport }) {
  const { t } = useTranslation('report')
  const weekdays = useWeekdays()
  if (!schedule) return null
  const facts = {
    hour: `${String(schedule.hour).padStart(2, '0')}:00`,
    weekday: schedule.every === 'week' ? weekdays[schedule.day - 1] : '',
    day: schedule.every === 'month' ? String(schedule.day) : '',
  }
  return (
    <Text span c="dimmed" fz="sm">
      {t(`schedule.${schedule.every}`, facts)}
      {nextAt && (
        <>
          {' · '}
          {t('schedule.next')}: <When at={nextAt} as="minute" timeZone={timeZone} />
        </>
      )}
      {lastSentAt && (
        <>
          {' · '}
          {t('schedule.last')}: <When at={lastSentAt} as="minute" timeZone={timeZone} />
        </>
      )}
    </Text>
  )
}
