import { Button, Checkbox, Flex, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exports } from '#contract/export/export.ts'
import { spaConfiguration } from '#contract/platform/spa-configuration.ts'
import { type ExportFormat, exportFormats } from '#contract/vocabulary/export.ts'
import { download, queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ExportJobs } from './ExportJobs.tsx'
import classes from './ExportMenu.module.css'
import { type ExportedList, orderOf } from './exportOrder.ts'
import { watchExport } from './watchExport.ts'

/** Downloads the list at once, up to the cap, or exports all of it in the background; shows the user's exports. */
export default function ExportPanel(props: ExportedList) {
  const { t } = useTranslation('export')
  const format = useFormat()
  const [hasAllColumns, setAllColumns] = useState(false)
  const [busy, setBusy] = useState<ExportFormat>()
  const { data } = useQuery({ ...queryOf(spaConfiguration.getSpaConfiguration), staleTime: Number.POSITIVE_INFINITY })
  const create = useCommand(exports.createExport, { says: 'export:begun', onDone: (job) => watchExport(job) })
  const { merchantId } = props.params
  const { features } = useMerchant()
  const orderIn = (file: ExportFormat) =>
    orderOf(props, { format: file, language: format.language, hasAllColumns, features })
  const get = async (file: ExportFormat) => {
    setBusy(file)
    try {
      await download(exports.exportShown, { params: { merchantId }, body: orderIn(file) }, `${props.list}.${file}`)
    } catch (error) {
      const { toast } = await import('#portal/app/toast/toast.tsx')
      toast.error(error)
    } finally {
      setBusy(undefined)
    }
  }
  const most = data?.exportMaxResults
  const total = props.total
  const explanation = () => {
    if (most === undefined) return ' '
    if (total <= most && !props.isCapped) return t('all', { count: total, number: format.number(total) })
    return props.isCapped && total <= most
      ? t('firstOfMany', { most: format.number(most) })
      : t('first', {
          most: format.number(most),
          total: props.isCapped ? `${format.number(total)}+` : format.number(total),
        })
  }
  return (
    <Stack gap="part" p="part">
      <ExportSection
        title={t('shown')}
        text={explanation()}
        act={(file) => void get(file)}
        isBusy={(file) => busy === file}
        isDisabled={most === undefined}
      />
      <ExportSection
        title={t('everything')}
        text={t('everythingText')}
        act={(file) => create.mutate({ params: { merchantId }, body: orderIn(file) })}
        isBusy={(file) => create.isPending && create.variables.body.format === file}
      />
      <Checkbox
        size="xs"
        pt="hair"
        label={t('allColumns')}
        checked={hasAllColumns}
        onChange={(event) => setAllColumns(event.currentTarget.checked)}
      />
      <ExportJobs />
    </Stack>
  )
}

interface SectionProps {
  title: string
  text: string
  act: (file: ExportFormat) => void
  isBusy: (file: ExportFormat) => boolean
  isDisabled?: boolean
}

/** What is exported, with a button per format. */
function ExportSection({ title, text, act, isBusy, isDisabled = false }: SectionProps) {
  const { t } = useTranslation('export')
  return (
    <Group component="section" gap="sm" wrap="nowrap" justify="space-between">
      <div>
        <Title order={2} fz="sm" fw={600} lh="inherit">
          {title}
        </Title>
        <Text mt="hair" fz="xs" className={classes.text}>
          {text}
        </Text>
      </div>
      <Flex gap="snug" flex="none">
        {exportFormats.map((file) => (
          <Button
            key={file}
            size="xs"
            variant="default"
            loading={isBusy(file)}
            disabled={isDisabled}
            aria-label={t(file === 'csv' ? 'doCsv' : 'doXlsx', { what: title })}
            onClick={() => act(file)}
          >
            {t(file)}
          </Button>
        ))}
      </Flex>
    </Group>
  )
}
