import { Flex, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import classes from './Troubleshooting.module.css'

/** Six language codes, filled where a text exists; as words for screen readers. */
export function LanguageMarks({ written }: { written: readonly Language[] }) {
  const { t } = useTranslation('troubleshooting')
  const format = useFormat()
  const names = new Intl.DisplayNames(format.locale, { type: 'language' })
  const text =
    written.length === 0
      ? t('noLanguage')
      : new Intl.ListFormat(format.locale).format(written.map((language) => names.of(language) ?? language))
  return (
    <Flex component="span" gap="tight" wrap="wrap" display="inline-flex" title={text}>
      <VisuallyHidden>{text}</VisuallyHidden>
      {languages.map((language) => (
        <span key={language} aria-hidden className={classes.mark} data-written={written.includes(language)}>
          {language.toUpperCase()}
        </span>
      ))}
    </Flex>
  )
}
