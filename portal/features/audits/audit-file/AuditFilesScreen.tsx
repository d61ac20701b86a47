import { Flex, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { largestAuditFiles, mostAuditFiles } from '#contract/audits/audit-file.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { FilesPick, useDrop } from '#portal/ui/form/fields/FileBox.tsx'
import { MerchantChoice } from '#portal/ui/form/MerchantChoice.tsx'
import { writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import classes from '#portal/ui/import/Import.module.css'
import { Card } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { AuditFilesCard } from './AuditFilesCard.tsx'
import { useAuditFiles } from './useAuditFiles.ts'

/** Stores audit files of other systems: which files, what is understood of each, and the confirmation. */
export default function AuditFilesScreen() {
  const { t } = useTranslation('audit-file')
  const format = useFormat()
  const uploading = useAuditFiles()
  const { count, rows, fault, isChecking, take } = uploading
  const drop = useDrop(false, (_, all) => void take(all))
  return (
    <>
      <ScreenHeader title={t('title')} subtitle={t('subtitle')} />
      <Stack gap="md">
        <Card title={t('card.files')}>
          <Stack gap="part">
            <MerchantChoice value={uploading.merchantChoice} choose={uploading.chooseMerchant} />
            <Flex rowGap="xs" columnGap="part" wrap="wrap" align="center" p="wide" className={classes.drop} {...drop}>
              <FilesPick
                accept=".eva,.dex,.txt,.dts,.json"
                take={(picked) => void take(picked)}
                variant={rows.length > 0 ? 'default' : 'filled'}
                loading={isChecking}
                leftSection={<IconFileUpload size={16} aria-hidden />}
              >
                {t(count > 0 ? 'other' : 'choose')}
              </FilesPick>
              <Text span c="dimmed" fz="sm" lh="sm" role="status">
                {isChecking ? t('reading', { count, number: format.number(count) }) : t('drop')}
              </Text>
            </Flex>
            {fault && (
              <Text c="crit" fz="head" role="alert">
                {fault}
              </Text>
            )}
            <Text maw="78ch" c="dimmed" fz="sm" lh="sm">
              {t('rule', {
                files: format.number(mostAuditFiles),
                size: writeBytes(largestAuditFiles, format.number),
              })}{' '}
              {t('note')}
            </Text>
          </Stack>
        </Card>
        {rows.length > 0 && (
          <AuditFilesCard
            rows={rows}
            merchantId={uploading.merchantId}
            isStored={uploading.isStored}
            isBusy={isChecking}
            isSaving={uploading.isSaving}
            choose={uploading.choose}
            confirm={() => void uploading.confirm()}
          />
        )}
      </Stack>
    </>
  )
}
