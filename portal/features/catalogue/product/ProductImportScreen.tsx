import { Flex, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ImportPreview,
  largestImport,
  mostImportRows,
  productImports,
} from '#contract/catalogue/product-import.ts'
import { useCommand } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { FilePick, useDrop } from '#portal/ui/form/fields/FileBox.tsx'
import { MerchantChoice } from '#portal/ui/form/MerchantChoice.tsx'
import { writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import classes from '#portal/ui/import/Import.module.css'
import { type FileContent, readFile } from '#portal/ui/import/readFile.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { sentenceOf } from '../../../app/apiError.ts'
import { PreviewCard } from './PreviewCard.tsx'

/** A file, its preview, and the import of what was previewed. */
function useProductImport() {
  const { t } = useTranslation(['product-import', 'errors'])
  const format = useFormat()
  const go = useGo()
  const merchant = useMerchant()
  const [merchantChoice, choose] = useState('')
  const [file, setFile] = useState<FileContent>()
  const [importPreview, setImportPreview] = useState<ImportPreview>()
  const [fault, setFault] = useState<string>()
  const preview = useCommand(productImports.previewProductImport, { isQuiet: true })
  const save = useCommand(productImports.importProducts, { isQuiet: true })
  const merchantId = (merchant.isAll && merchantChoice) || merchant.id
  const say = (error: unknown) => setFault(sentenceOf((key, values) => t(key, values), error))

  const check = async (read: FileContent, of = merchantId) => {
    setFault(undefined)
    setImportPreview(undefined)
    setFile(read)
    try {
      setImportPreview(await preview.mutateAsync({ params: { merchantId: of }, body: read }))
    } catch (error) {
      say(error)
    }
  }
  const take = async (newFile: File) => {
    if (preview.isPending) return
    setImportPreview(undefined)
    setFile(undefined)
    if (newFile.size > largestImport) return setFault(t('tooLarge', { size: writeBytes(largestImport, format.number) }))
    await check(await readFile(newFile))
  }
  const chooseMerchant = (id: string) => {
    choose(id)
    if (file) void check(file, id)
  }
  const confirm = async () => {
    if (!file || !importPreview) return
    try {
      const { created, updated } = await save.mutateAsync({
        params: { merchantId },
        body: { ...file, digest: importPreview.digest },
      })
      const count = created + updated
      toast.success('product-import:done', { count, number: format.number(count) })
      await go({ to: '/manage/products' })
    } catch (error) {
      const isChanged = error instanceof ApiError && error.code === 'ImportChanged'
      if (isChanged) await check(file)
      say(error)
    }
  }
  return {
    merchantId,
    merchantChoice,
    chooseMerchant,
    file,
    importPreview,
    fault,
    take,
    isChecking: preview.isPending,
    confirm,
    isSaving: save.isPending,
  }
}

/** Imports products from a file after a preview and a confirmation. */
export default function ProductImportScreen() {
  const { t } = useTranslation(['product-import', 'errors'])
  const format = useFormat()
  const { file, importPreview, fault, take, isChecking, ...productImport } = useProductImport()
  const drop = useDrop(false, (newFile) => void take(newFile))
  return (
    <>
      <ScreenHeader title={t('title')} />
      <Stack gap="md">
        <Card title={t('card.file')}>
          <MerchantChoice value={productImport.merchantChoice} choose={productImport.chooseMerchant} />
          <Flex rowGap="xs" columnGap="part" wrap="wrap" align="center" p="wide" className={classes.drop} {...drop}>
            {file && <strong>{file.name}</strong>}
            <FilePick
              accept=".csv,.txt,.xlsx,text/csv"
              take={(newFile) => void take(newFile)}
              variant={importPreview ? 'default' : 'filled'}
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
            <Text mt="xs" c="crit" fz="head" role="alert">
              {fault}
            </Text>
          )}
          <Text maw="78ch" mt="xs" c="dimmed" fz="sm" lh="sm">
            {t('rule', { rows: format.number(mostImportRows), size: writeBytes(largestImport, format.number) })}
          </Text>
          <Text maw="78ch" mt="xs" c="dimmed" fz="sm" lh="sm">
            {t('how')}
          </Text>
        </Card>
        {importPreview && (
          <PreviewCard
            preview={importPreview}
            merchantId={productImport.merchantId}
            isSaving={productImport.isSaving}
            confirm={() => void productImport.confirm()}
          />
        )}
      </Stack>
    </>
  )
}
