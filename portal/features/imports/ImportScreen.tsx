import { Flex, NativeSelect, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { largestImportedFile, mostImportedRows } from '#contract/imports/import.ts'
import type { ImportKind } from '#contract/imports/import-kinds.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { FilePick, useDrop } from '#portal/ui/form/fields/FileBox.tsx'
import { MerchantChoice } from '#portal/ui/form/MerchantChoice.tsx'
import { writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import classes from '#portal/ui/import/Import.module.css'
import { Card } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { ImportPreviewCard } from './ImportPreviewCard.tsx'
import { MappingCard } from './MappingCard.tsx'
import { useFileImport } from './useFileImport.ts'
import { useKinds } from './useKinds.ts'

/** Imports a file: what it contains, which column is which field, what would change, and the confirmation. */
export default function ImportScreen() {
  const { t } = useTranslation('import')
  const format = useFormat()
  const kinds = useKinds()
  const { kind: asked } = useAddressQuery()
  const first = kinds.find((kind) => kind === asked) ?? kinds.find((kind) => kind === 'clients') ?? kinds[0]
  const importing = useFileImport(first ?? 'clients')
  const { kind, file, shown, fault, isChecking, take } = importing
  const drop = useDrop(false, (picked) => void take(picked))
  return (
    <>
      <ScreenHeader title={t('create')} />
      <Stack gap="md">
        <Card title={t('card.file')}>
          <Stack gap="part">
            <MerchantChoice value={importing.merchantChoice} choose={importing.chooseMerchant} />
            <NativeSelect
              label={t('what')}
              description={t(`about.${kind}`)}
              maw="62ch"
              value={kind}
              data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
              onChange={(event) => importing.chooseKind(event.currentTarget.value as ImportKind)}
            />
            <Flex
              rowGap="xs"
              columnGap="part"
              wrap="wrap"
              align="center"
              p="wide"
              mt={0}
              className={classes.drop}
              {...drop}
            >
              {file && <strong>{file.name}</strong>}
              <FilePick
                accept=".csv,.txt,.xlsx,text/csv"
                take={(picked) => void take(picked)}
                variant={shown ? 'default' : 'filled'}
                loading={isChecking}
                leftSection={<IconFileUpload size={16} aria-hidden />}
              >
                {t(file ? 'other' : 'choose')}
              </FilePick>
              <Text span c="dimmed" fz="sm" lh="sm" role="status">
                {isChecking && file ? t('reading', { name: file.name }) : t('drop')}
              </Text>
            </Flex>
            {fault && (
              <Text c="crit" fz="head" role="alert">
                {fault}
              </Text>
            )}
            <Text maw="78ch" c="dimmed" fz="sm" lh="sm">
              {t('rule', {
                rows: format.number(mostImportedRows),
                size: writeBytes(largestImportedFile, format.number),
              })}
            </Text>
          </Stack>
        </Card>
        {shown && <MappingCard kind={kind} preview={shown} isBusy={isChecking} map={importing.map} />}
        {shown && shown.missing.length === 0 && (
          <ImportPreviewCard
            kind={kind}
            preview={shown}
            merchantId={importing.merchantId}
            isSaving={importing.isSaving || isChecking}
            confirm={() => void importing.confirm()}
          />
        )}
      </Stack>
    </>
  )
}
