import { Box, Checkbox, Flex, Group, Loader, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { priceChanges } from '#contract/catalogue/price-change.ts'
import type { ResultOf } from '#contract/frame/endpoint.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { PreviewTable } from './PreviewTable.tsx'
import classes from './PriceChange.module.css'
import { averageChange, changeOf, oneDecimal } from './previewLines.ts'

export type Preview = ResultOf<typeof priceChanges.previewPriceChange>

interface Props {
  preview: Preview | undefined
  error: unknown
  retry: () => unknown
  /** Prices have changed since the preview. */
  isAgain: boolean
  /** The first day of the prices; undefined for now. */
  startsOn: string | null
  send: boolean
  /** The user has confirmed the unusual prices. */
  isConfirmed: boolean
  confirm: (isConfirmed: boolean) => void
}

/** The last step: every old and new price, and the number of changes. */
export function PreviewStep({ preview, error, retry, isAgain, startsOn, send, isConfirmed, confirm }: Props) {
  const { t } = useTranslation('price-change')
  const format = useFormat()
  if (error) return <ErrorState error={error} retry={retry} />
  if (!preview)
    return (
      <Group component="p" gap="xs" wrap="nowrap" mih={120} c="dimmed" role="status">
        <Loader size={16} /> {t('preview.waiting')}
      </Group>
    )
  const { changed, skipped, prices } = preview
  const unusual = prices.filter(({ warning }) => warning !== null)
  const usual = prices.filter(({ warning }) => warning === null)
  const many = (count: number) => ({ count, number: format.number(count) })
  return (
    <Stack gap="wide">
      {isAgain && (
        <Note role="alert" tone="warn" bdrs="inner">
          {t('preview.again')}
        </Note>
      )}
      {changed === 0 ? (
        <Text fz="figure" fw={640} lh="25px">
          {t('preview.nothing')}
        </Text>
      ) : (
        <Figures preview={preview} />
      )}
      <div>
        {changed > 0 && (
          <Text c="dimmed" fz="sm">
            {startsOn
              ? t(send ? 'preview.laterSent' : 'preview.laterSaved', { day: format.day(startsOn) })
              : t(send ? 'preview.nowSent' : 'preview.nowSaved')}
          </Text>
        )}
        {skipped > 0 && (
          <Text c="dimmed" fz="sm">
            {t('preview.skipped', many(skipped))}
          </Text>
        )}
      </div>
      {unusual.length > 0 && (
        <Stack
          component="section"
          gap="xs"
          p="part"
          bd="1px solid var(--warn)"
          bdrs="lg"
          aria-labelledby="unusual-prices"
        >
          <h3 id="unusual-prices" className={classes.subtitle}>
            {t('unusual.title', many(unusual.length))}
          </h3>
          <Text c="dimmed" fz="sm">
            {t('unusual.text', { percent: format.number((preview.bandPercent ?? 0) / 100, { style: 'percent' }) })}
          </Text>
          <PreviewTable prices={unusual} />
          <Checkbox
            label={t('unusual.confirm', many(unusual.length))}
            checked={isConfirmed}
            onChange={(event) => confirm(event.currentTarget.checked)}
          />
        </Stack>
      )}
      {usual.length > 0 && <PreviewTable prices={usual} />}
    </Stack>
  )
}

function Figures({ preview: { machines, changed, unchanged, skipped, prices } }: { preview: Preview }) {
  const { t } = useTranslation('price-change')
  const format = useFormat()
  const percent = (value: number) =>
    format.number(value, { style: 'percent', signDisplay: 'exceptZero', ...oneDecimal })
  const changes = prices.map(changeOf).filter((one) => one !== undefined)
  const average = averageChange(prices)
  const largest = changes.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0)
  return (
    <Panel radius="inner" bg="var(--line)" className="clips">
      <Flex component="dl" gap={1} wrap="wrap">
        <Box flex="1 1 130px" py="xs" px="part" bg="var(--surface)">
          <Box component="dt" c="dimmed" fz="fine">
            {t('preview.changing')}
          </Box>
          <Stack component="dd" gap={0}>
            <Box component="strong" fz={19} fw={660}>
              {format.number(changed)}
            </Box>
            <Text span c="dimmed" fz="sm">
              {t('preview.of', {
                count: changed + unchanged + skipped,
                number: format.number(changed + unchanged + skipped),
              })}
            </Text>
          </Stack>
        </Box>
        <Box flex="1 1 130px" py="xs" px="part" bg="var(--surface)">
          <Box component="dt" c="dimmed" fz="fine">
            {t('step.machines')}
          </Box>
          <Stack component="dd" gap={0}>
            <Box component="strong" fz={19} fw={660}>
              {format.number(machines)}
            </Box>
            {unchanged > 0 && (
              <Text span c="dimmed" fz="sm">
                {t('preview.unchanged', { count: unchanged, number: format.number(unchanged) })}
              </Text>
            )}
          </Stack>
        </Box>
        {average !== undefined && (
          <Box flex="1 1 130px" py="xs" px="part" bg="var(--surface)">
            <Box component="dt" c="dimmed" fz="fine">
              {t('preview.average')}
            </Box>
            <Stack component="dd" gap={0}>
              <Box component="strong" fz={19} fw={660}>
                {percent(average)}
              </Box>
              <Text span c="dimmed" fz="sm">
                {t('preview.largest', { percent: percent(largest) })}
              </Text>
            </Stack>
          </Box>
        )}
      </Flex>
    </Panel>
  )
}
