import { useTranslation } from 'react-i18next'
import { type Scheme, schemes, useScheme } from '../app/look.ts'
import { languageNames, speak } from '../app/words.ts'
import { Card, Choices } from './parts.tsx'

/** The language and the look of this device. */
export function LookAndLanguage({ onLanguage }: { onLanguage?: (language: string) => void }) {
  const { t, i18n } = useTranslation('key-app')
  const [scheme, setScheme] = useScheme()
  return (
    <Card className="settings">
      <div className="field">
        <label htmlFor="language">{t('settings.language')}</label>
        <select
          id="language"
          value={i18n.language}
          onChange={(event) => {
            const language = languageNames.find(([one]) => one === event.currentTarget.value)?.[0] ?? 'en'
            void speak(language)
            onLanguage?.(language)
          }}
        >
          {languageNames.map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Choices<Scheme>
        label={t('settings.look')}
        isInline
        value={scheme}
        onChange={setScheme}
        values={schemes.map((value) => ({ value, label: t(`settings.scheme.${value}`) }))}
      />
    </Card>
  )
}
