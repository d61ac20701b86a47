import { Button, Flex } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { masterAlarms, type TroubleshootingText } from '#contract/alarms/troubleshooting.ts'
import { plainText, RichText } from '#contract/rules/rich-text.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { RichTextField } from '#portal/ui/form/fields/RichTextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import classes from './Troubleshooting.module.css'

const GuideForm = z.strictObject({ content: RichText })
type GuideForm = z.infer<typeof GuideForm>

const valuesOf = ({ content }: TroubleshootingText): GuideForm => ({ content })

/** One language's text of a code. While it is empty, another language's text can be copied as a start. */
export function GuideEditor({ text }: { text: TroubleshootingText }) {
  const { t } = useTranslation('troubleshooting')
  const format = useFormat()
  const { code, language, version } = text
  const names = new Intl.DisplayNames(format.locale, { type: 'language' })
  const form = useSchemaForm<GuideForm>(GuideForm, valuesOf(text))
  const update = useCommand(masterAlarms.updateTroubleshooting, { isQuiet: true })
  const save = async ({ content }: GuideForm, on: number) => {
    const saved = await update.mutateAsync({ params: { code, language }, body: { content, version: on } })
    toast.success(content === '' ? 'troubleshooting:removed' : 'troubleshooting:saved')
    return saved
  }
  // The text shown in this language; another language's text if it is empty.
  const { data: guide } = useQuery(queryOf(masterAlarms.getRepairGuide, { params: { code }, query: { language } }))
  const isEmpty = form.getValues().content === ''
  const name = t('text', { language: names.of(language) })
  const read = (saved: unknown) => {
    const stored = saved as TroubleshootingText
    return { version: stored.version, values: valuesOf(stored) }
  }
  return (
    <div className={classes.editor}>
      <FormScreen
        form={form}
        record={{
          version,
          values: valuesOf(text),
          read,
          names: { content: name },
          say: (_, html) => plainText(String(html)),
        }}
        codes={{ TroubleshootingContentExceedsSizeLimits: 'content' }}
        save={save}
        isSaving={update.isPending}
        error={update.error}
      >
        <RichTextField form={form} name="content" label={name} description={t('textHint')} />
        {isEmpty && guide && guide.language !== language && (
          <Flex component="p" rowGap="tight" columnGap="sm" wrap="wrap" align="center" c="dimmed" fz="sm" lh="19px">
            {t('standsIn', { language: names.of(guide.language) })}
            <Button variant="default" size="xs" onClick={() => form.setFieldValue('content', guide.content)}>
              {t('beginWith', { language: names.of(guide.language) })}
            </Button>
          </Flex>
        )}
      </FormScreen>
    </div>
  )
}
