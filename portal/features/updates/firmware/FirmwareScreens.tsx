import { Stack, Textarea } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Firmware, firmwares, NewFirmware, type ReleaseNotes } from '#contract/updates/firmware.ts'
import { firmwareLevels, kindOfFirmware } from '#contract/vocabulary/update.ts'
import { languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { call, useCommand } from '#portal/app/api.ts'
import { useGo, useLeave } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import { type Cards, type DrawField, RecordFields, text } from '#portal/ui/form/record/RecordFields.tsx'
import { bodyOf, formSchema, type RecordValues, valuesOf } from '#portal/ui/form/record/recordValues.ts'
import { type SchemaForm, useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { DeleteButton } from '#portal/ui/page/DeleteButton.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { FileCard } from '../update-file/FileCard.tsx'
import { RunningVersions } from '../update-file/RunningVersions.tsx'
import { deviceTypesField, peripheralField, updateInUse } from '../update-file/updateFields.tsx'

const list = '/admin/firmwares'

const level: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => <LevelField {...field} />
function LevelField(field: Omit<Parameters<DrawField>[0], 'values' | 'merchantId' | 'isNullable'>) {
  const { t } = useTranslation('firmware')
  return <SelectField {...field} options={firmwareLevels.map((value) => ({ value, label: t(`level.${value}`) }))} />
}

const notes: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => <NotesField {...field} />
function NotesField(field: Omit<Parameters<DrawField>[0], 'values' | 'merchantId' | 'isNullable'>) {
  const { t } = useTranslation(['firmware', 'shell'])
  const { value, set, leave, isFixed } = useField<ReleaseNotes, RecordValues>(field)
  return languages.map((language) => (
    <Textarea
      key={language}
      label={languageNames[language]}
      aria-label={t('firmware:noteIn', { language: languageNames[language] })}
      autosize
      minRows={2}
      maxLength={4000}
      lang={language}
      readOnly={isFixed}
      value={value[language]}
      onChange={(event) => set({ ...value, [language]: event.currentTarget.value })}
      onBlur={leave}
    />
  ))
}

const cards: Cards = {
  version: { release: text, level, deviceTypes: deviceTypesField, peripheral: peripheralField },
  notes: { notes },
}
const noNotes = Object.fromEntries(languages.map((language) => [language, '']))
const initial = { level: 'beta', notes: noNotes }

/** Creates a firmware version; its file is uploaded on its page. */
export function Create() {
  const { t } = useTranslation('firmware')
  const go = useGo()
  const leave = useLeave()
  const rule = useMemo(() => formSchema(NewFirmware), [])
  const form: SchemaForm<RecordValues> = useSchemaForm(rule, valuesOf(NewFirmware, initial))
  const create = useCommand(firmwares.createFirmware, { isQuiet: true })
  const save = async (values: RecordValues) => {
    const made = await create.mutateAsync({ body: bodyOf(NewFirmware, values) })
    toast.success('firmware:created', { name: made.release })
    await leave({ to: `${list}/$firmwareId`, params: { firmwareId: made.id } })
  }
  return (
    <>
      <ScreenHeader title={t('create')} />
      <FormScreen
        form={form}
        save={save}
        isSaving={create.isPending}
        error={create.error}
        cancel={() => void go({ to: list })}
      >
        <RecordFields form={form} schema={NewFirmware} cards={cards} words="firmware" merchantId={undefined} />
      </FormScreen>
    </>
  )
}

function Edit({ saved }: { saved: Firmware }) {
  const { t } = useTranslation('firmware')
  const rule = useMemo(() => formSchema(NewFirmware), [])
  const form: SchemaForm<RecordValues> = useSchemaForm(rule, valuesOf(NewFirmware, saved))
  const update = useCommand(firmwares.updateFirmware, { isQuiet: true })
  const isReadOnly = !useMay(firmwares.updateFirmware)
  const editedOf = (one: Firmware) => ({ version: one.version, values: valuesOf(NewFirmware, one) })
  const save = async (values: RecordValues, version: number) => {
    const body = { ...bodyOf(NewFirmware, values), version }
    const answer = await update.mutateAsync({ params: { firmwareId: saved.id }, body })
    toast.success('firmware:saved', { name: answer.release })
    return answer
  }
  const record = {
    ...editedOf(saved),
    read: (answer: unknown) => editedOf(answer as Firmware),
    say: () => undefined,
    merging: undefined,
    names: Object.fromEntries(Object.keys(NewFirmware.shape).map((field) => [field, t(`field.${field}`)])),
  }
  return (
    <FormScreen
      form={form}
      isReadOnly={isReadOnly}
      record={record}
      save={save}
      isSaving={update.isPending}
      error={update.error}
    >
      <RecordFields form={form} schema={NewFirmware} cards={cards} words="firmware" merchantId={undefined} />
    </FormScreen>
  )
}

/** A firmware version: its fields, its file, and the versions that machines run. */
export function Page() {
  const { t } = useTranslation('firmware')
  const { id: merchantId } = useMerchant()
  const mayRemove = useMay(firmwares.deleteFirmware)
  const answer = useRecord(firmwares.getFirmware, 'firmwareId')
  const firmware = answer.data
  return (
    <DetailScreen
      query={answer}
      merchantId={undefined}
      title={firmware?.release}
      subtitle={firmware && t(`level.${firmware.level}`)}
      actions={
        firmware &&
        mayRemove && (
          <DeleteButton
            kind="firmware"
            name={firmware.release}
            remove={() => call(firmwares.deleteFirmware, { params: { firmwareId: firmware.id } })}
            inUse={updateInUse('FirmwareInUseException')}
            list={list}
          />
        )
      }
      tabs={undefined}
    >
      {firmware && (
        <Columns of="minmax(0, 3fr) minmax(0, 2fr)" from="sm" gap="md" align="start">
          <Edit key={firmware.id} saved={firmware} />
          <Stack gap="md" miw={0}>
            <FileCard
              title={t('card.file')}
              file={firmware.file}
              row={firmwares.uploadFirmwareFile}
              params={{ firmwareId: firmware.id }}
            />
            <RunningVersions
              words="firmware"
              merchantId={merchantId}
              kind={kindOfFirmware(firmware.peripheral)}
              peripheral={firmware.peripheral}
              deviceTypes={firmware.deviceTypes}
              release={firmware.release}
            />
          </Stack>
        </Columns>
      )}
    </DetailScreen>
  )
}
