import { Button, Checkbox, Flex, NativeSelect, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Report, ReportDefinition } from '#contract/insight/report.ts'
import type { ReportFigure } from '#contract/vocabulary/insight/report.ts'
import { Opener } from '#portal/ui/dialog/Opener.tsx'
import screen from '../../../ui/list/ListScreen.module.css'
import type { ReportNames } from './useReportNames.ts'

interface Props {
  report: Report
  chosen: Pick<ReportDefinition, 'figures' | 'pivot'>
  names: ReportNames
  change: (part: Partial<ReportDefinition>) => void
}

/** The columns of the table, and the figure of its pivot. */
export function TableChoices({ report, chosen, names, change }: Props) {
  const { t } = useTranslation(['report', 'ui'])
  const [, second] = report.by
  return (
    <Flex gap="md" wrap="wrap" align="center" justify="flex-end" p="near" className="no-print">
      {second && (
        <NativeSelect
          size="xs"
          aria-label={t('report:pivot.label')}
          value={chosen.pivot ?? ''}
          data={[
            { value: '', label: t('report:pivot.none') },
            ...report.offered.map((figure) => ({
              value: figure,
              label: t('report:pivot.title', { figure: names.figure(figure), by: names.dimension(second) }),
            })),
          ]}
          onChange={({ currentTarget }) =>
            change({ pivot: (currentTarget.value || null) as ReportFigure | null, ord: null, ordKey: null })
          }
        />
      )}
      {!chosen.pivot && (
        <Opener
          className={`${screen.setting} lights inks`}
          label={
            <>
              <IconColumns3 size={15} aria-hidden /> {t('ui:list.columns')}
            </>
          }
          name={t('ui:list.columns')}
          isOnPhones
          position="bottom-end"
        >
          {() => <FigureList report={report} chosen={chosen.figures} names={names} change={change} />}
        </Opener>
      )}
    </Flex>
  )
}

/** The offered and chosen figures; the last one stays. */
function FigureList({
  report: { figures, offered },
  chosen,
  names,
  change,
}: {
  report: Report
  chosen: readonly ReportFigure[]
  names: ReportNames
  change: Props['change']
}) {
  const { t } = useTranslation('report')
  const all = [...offered, ...figures.filter((figure) => !offered.includes(figure))]
  const toggle = (figure: ReportFigure, isShown: boolean) => {
    const next = all.filter((one) => (one === figure ? isShown : figures.includes(one)))
    change({ figures: next.length === all.length ? [] : next })
  }
  return (
    <Stack gap="near" p="near">
      {all.map((figure) => (
        <Checkbox
          key={figure}
          size="sm"
          label={names.figure(figure)}
          checked={figures.includes(figure)}
          disabled={figures.length === 1 && figures.includes(figure)}
          onChange={({ currentTarget }) => toggle(figure, currentTarget.checked)}
        />
      ))}
      {chosen.length > 0 && (
        <Button variant="subtle" size="xs" onClick={() => change({ figures: [] })}>
          {t('allColumns')}
        </Button>
      )}
    </Stack>
  )
}
