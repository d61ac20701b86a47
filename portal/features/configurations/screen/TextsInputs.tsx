import { TextInput } from '@mantine/core'
import type { ScreenTexts } from '#contract/configurations/screen-content.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'

interface Props {
  label: string
  languages: readonly Language[]
  texts: ScreenTexts
  placeholder?: string | undefined
  isFixed: boolean
  change: (texts: ScreenTexts) => void
}

/** A text on the screen in each of its languages. */
export const TextsInputs = ({ label, languages, texts, placeholder, isFixed, change }: Props) =>
  languages.map((language) => (
    <TextInput
      key={language}
      label={languages.length > 1 ? `${label} (${language.toUpperCase()})` : label}
      value={texts[language] ?? ''}
      placeholder={placeholder}
      maxLength={40}
      disabled={isFixed}
      onChange={({ currentTarget }) => change({ ...texts, [language]: currentTarget.value })}
    />
  ))
