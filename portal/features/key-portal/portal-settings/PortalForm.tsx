import { Button, Flex, SimpleGrid, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import {
  NewPortalSettings,
  type PortalFile,
  type PortalFileUse,
  type PortalSettings,
  portalFileRule,
  portalSettings,
  requiredTextLanguages,
} from '#contract/key-portal/portal-settings.ts'
import { plainText } from '#contract/rules/rich-text.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { darkPage, lightPage, portalColoursOf } from '#domain/key-portal/colours.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { upload } from '#portal/app/upload.ts'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { ColourInput } from '#portal/ui/form/fields/ColourInput.tsx'
import { PhoneField } from '#portal/ui/form/fields/PhoneField.tsx'
import { RichTextField } from '#portal/ui/form/fields/RichTextField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { UrlField } from '#portal/ui/form/fields/UrlField.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import { bodyOf, formSchema } from '#portal/ui/form/record/recordValues.ts'
import { type SchemaForm, useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import classes from '../KeyPortal.module.css'
import { UploadField } from '../UploadField.tsx'
import { useFileUrl } from '../useFileUrl.ts'

type Values = z.output<typeof NewPortalSettings>
type Form = SchemaForm<Values>

const DraftPreviewDialog = lazyPart(() => import('./DraftPreviewDialog.tsx'))
const LivePreview = lazyPart(() => import('./LivePreview.tsx'))
/** Room for a phone beside the form. */
const wide = '(min-width: 1400px)'

const names = Object.keys(NewPortalSettings.shape) as (keyof Values)[]
const valuesOf = (settings: PortalSettings) => Object.fromEntries(names.map((name) => [name, settings[name]])) as Values
const rule = formSchema(NewPortalSettings)

/** The record of a form, with the names and formats of its fields for conflicts. */
function useSettingsRecord(settings: PortalSettings) {
  const { t } = useTranslation('portal-settings')
  return {
    version: settings.version,
    values: valuesOf(settings),
    read: (saved: unknown) => ({
      version: (saved as PortalSettings).version,
      values: valuesOf(saved as PortalSettings),
    }),
    names: Object.fromEntries(names.map((name) => [name, t(`field.${name}`)])) as Record<keyof Values, string>,
    say: (name: string, value: unknown) =>
      typeof value === 'object' && value !== null
        ? Object.values(value as Record<string, string>)
            .map(plainText)
            .filter(Boolean)
            .join(' / ')
        : name === 'isPublished'
          ? t(value ? 'published' : 'unpublished')
          : (value as string | undefined),
  }
}

/** The fields of a merchant's customers' portal. */
export function PortalForm({ settings }: { settings: PortalSettings }) {
  const { t } = useTranslation('portal-settings')
  const { merchantId } = settings
  const form = useSchemaForm<Values>(rule, valuesOf(settings))
  const update = useCommand(portalSettings.updatePortalSettings, { isQuiet: true })
  const isWide = useMediaQuery(wide, false, { getInitialValueInEffect: false })
  const [isPreviewing, setPreviewing] = useState(false)
  const [files, setFiles] = useState<readonly PortalFile[]>(settings.files)
  const save = async (values: Values, on: number) => {
    const body = { ...bodyOf(NewPortalSettings, values), version: on }
    const saved = await update.mutateAsync({ params: { merchantId }, body })
    toast.success('portal-settings:saved')
    return saved
  }
  const record = useSettingsRecord(settings)
  return (
    <Flex gap="xl" align="flex-start" className={classes.split}>
      <FormScreen
        form={form}
        record={record}
        save={save}
        codes={{ PortalSlugTaken: 'slug' }}
        isSaving={update.isPending}
        error={update.error}
        beside={
          <Button variant="default" leftSection={<IconEye size={15} aria-hidden />} onClick={() => setPreviewing(true)}>
            {t('preview.open')}
          </Button>
        }
      >
        <PortalCard form={form} />
        <LookCard form={form} merchantId={merchantId} files={files} setFiles={setFiles} />
        <TextsCard form={form} name="contacts" />
        <TextsCard form={form} name="privacy" />
      </FormScreen>
      {isWide && (
        <Part fallback={null}>
          <LivePreview merchantId={merchantId} values={form.getValues()} files={files} />
        </Part>
      )}
      {isPreviewing && (
        <Part failed={(again) => <PartFailure again={again} close={() => setPreviewing(false)} />}>
          <DraftPreviewDialog
            merchantId={merchantId}
            values={form.getValues()}
            files={files}
            isDirty={form.isDirty()}
            close={() => setPreviewing(false)}
          />
        </Part>
      )}
    </Flex>
  )
}

/** The portal's name and address, and how customers reach the merchant. */
function PortalCard({ form }: { form: Form }) {
  const { t } = useTranslation('portal-settings')
  return (
    <Card title={t('card.portal')}>
      <Stack gap="md">
        <SwitchField form={form} name="isPublished" label={t('field.isPublished')} description={t('hint.published')} />
        <SimpleGrid minColWidth={220} autoFlow="auto-fit" spacing="md">
          <TextField form={form} name="name" label={t('field.name')} maxLength={80} isRequired />
          <TextField
            form={form}
            name="slug"
            label={t('field.slug')}
            description={t('hint.slug', { slug: form.getValues().slug })}
            maxLength={60}
            isRequired
          />
        </SimpleGrid>
        <SimpleGrid minColWidth={220} autoFlow="auto-fit" spacing="md">
          <UrlField form={form} name="website" label={t('field.website')} />
          <TextField form={form} name="email" label={t('field.email')} inputMode="email" />
        </SimpleGrid>
        <PhoneField form={form} name="phone" label={t('field.phone')} />
      </Stack>
    </Card>
  )
}

interface LookProps {
  form: Form
  merchantId: string
  files: readonly PortalFile[]
  setFiles: (files: readonly PortalFile[]) => void
}

/** The portal's color, theme and pictures. */
function LookCard({ form, merchantId, files, setFiles }: LookProps) {
  const { t } = useTranslation('portal-settings')
  const file = (use: PortalFileUse) => (
    <PortalFileField
      form={form}
      use={use}
      merchantId={merchantId}
      files={files}
      add={(one) => setFiles([...files, one])}
    />
  )
  const themes = [0, 1].map((theme) => ({ value: String(theme), label: t(`theme.${theme}`) }))
  return (
    <Card title={t('card.look')}>
      <Stack gap="md">
        <SimpleGrid minColWidth={220} autoFlow="auto-fit" spacing="md">
          <ColourField form={form} />
          <SelectField form={form} name="theme" label={t('field.theme')} options={themes} keep={Number} />
        </SimpleGrid>
        {file('logo')}
        {file('appLogo')}
        {file('ingredients')}
      </Stack>
    </Card>
  )
}

/** The merchant's color, and how text looks with it. */
function ColourField({ form }: { form: Form }) {
  const { t } = useTranslation('portal-settings')
  const { value, set, leave, input, isFixed } = useField<string, Values>({
    form,
    name: 'colour' as const,
    label: t('field.colour'),
    isRequired: true,
  })
  const isColour = /^#[\da-f]{6}$/.test(value)
  const colours = isColour ? portalColoursOf(value) : undefined
  return (
    <Stack gap="md">
      <ColourInput
        {...input}
        value={value}
        disabled={isFixed}
        onChange={(colour) => set(colour.toLowerCase())}
        onBlur={leave}
      />
      {colours && (
        <Flex gap="xs" wrap="wrap">
          <Panel
            component="span"
            display="inline"
            py="near"
            px="part"
            fz="md"
            fw={600}
            radius="inner"
            bg={colours.brand}
            c={colours.onBrand}
          >
            {t('sample')}
          </Panel>
          <Panel
            component="span"
            display="inline"
            py="near"
            px="part"
            fz="md"
            fw={600}
            radius="inner"
            bg={lightPage}
            c={colours.onLight}
          >
            {t('theme.0')}
          </Panel>
          <Panel
            component="span"
            display="inline"
            py="near"
            px="part"
            fz="md"
            fw={600}
            radius="inner"
            bg={darkPage}
            c={colours.onDark}
          >
            {t('theme.1')}
          </Panel>
        </Flex>
      )}
    </Stack>
  )
}

interface FileProps {
  form: Form
  use: PortalFileUse
  merchantId: string
  files: readonly PortalFile[]
  add: (file: PortalFile) => void
}

function PortalFileField({ form, use, merchantId, files, add }: FileProps) {
  const { t } = useTranslation('portal-settings')
  const name = `${use}Id` as const
  const { value, set, input, isFixed } = useField<string | null, Values>({ form, name, label: t(`field.${name}`) })
  const isPicture = use !== 'ingredients'
  const url = useFileUrl(
    portalSettings.getPortalFileContent,
    { merchantId, portalFileId: value ?? '' },
    isPicture ? value : null,
  )
  return (
    <UploadField
      label={t(`field.${name}`)}
      ruleOf={() => portalFileRule(use)}
      file={files.find(({ id }) => id === value) ?? null}
      preview={url && <img src={url} alt="" />}
      error={input.error}
      isFixed={isFixed}
      send={(file, onProgress, signal) =>
        upload(portalSettings.uploadPortalFile, {
          params: { merchantId },
          query: { use },
          file,
          onProgress,
          signal,
        })
      }
      set={(next) => {
        if (next) add(next)
        set(next?.id ?? null)
      }}
    />
  )
}

/** A text in each language; optional languages are folded while they are empty. */
function TextsCard({ form, name }: { form: Form; name: 'contacts' | 'privacy' }) {
  const { t } = useTranslation('portal-settings')
  const { locale } = useFormat()
  const nameOf = (language: string) => new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language
  const isRequired = (language: string) => (requiredTextLanguages as readonly string[]).includes(language)
  const field = (language: (typeof languages)[number]) => (
    <RichTextField
      key={language}
      form={form}
      name={`${name}.${language}`}
      label={nameOf(language)}
      isRequired={isRequired(language)}
      isLabelled={!isRequired(language)}
    />
  )
  return (
    <Card title={t(`field.${name}`)}>
      <Stack gap="wide">
        {requiredTextLanguages.map(field)}
        {languages
          .filter((language) => !isRequired(language))
          .map((language) => (
            <details key={language} open={form.getValues()[name][language] !== ''}>
              <summary>{nameOf(language)}</summary>
              {field(language)}
            </details>
          ))}
      </Stack>
    </Card>
  )
}
