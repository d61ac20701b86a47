import type { z } from 'zod'
import {
  Colour,
  NewPortalSettings,
  type PortalFile,
  type PortalPreview,
  type PortalSettings,
} from '#contract/key-portal/portal-settings.ts'
import { cleanRichText, isRichTextSaid } from '#contract/rules/rich-text.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { portalColoursOf } from '#domain/key-portal/colours.ts'

type Values = z.output<typeof NewPortalSettings>

const cleaned = (texts: PortalSettings['contacts']) =>
  Object.fromEntries(
    languages.map((language) => [language, cleanRichText(texts[language])]),
  ) as PortalSettings['contacts']

/**
 * The preview with the values of a form that is not saved. An invalid value is left out, or shown as it is saved; texts are reduced to the allowed
 * HTML. The frame's address stays the saved one.
 */
export function draftPreview(saved: PortalPreview, values: Values, files: readonly PortalFile[]): PortalPreview {
  const { shape } = NewPortalSettings
  const valid = <K extends 'website' | 'phone' | 'email'>(name: K) => shape[name].safeParse(values[name]).data ?? null
  const pictureOf = (id: string | null) => {
    const file = files.find((one) => one.id === id)
    return file ? { url: '', width: file.width ?? 0, height: file.height ?? 0 } : null
  }
  const { logoId, appLogoId, ingredientsId, theme } = values
  const contacts = cleaned(values.contacts)
  const privacy = cleaned(values.privacy)
  return {
    ...saved,
    logoId,
    appLogoId,
    ingredientsId,
    contacts,
    privacy,
    portal: {
      ...saved.portal,
      name: shape.name.safeParse(values.name).data ?? saved.portal.name,
      website: valid('website'),
      phone: valid('phone'),
      email: valid('email'),
      colours: Colour.safeParse(values.colour).success ? portalColoursOf(values.colour) : saved.portal.colours,
      theme,
      logo: pictureOf(logoId),
      appLogo: pictureOf(appLogoId),
      languages: languages.filter((language) => isRichTextSaid(privacy[language])),
      services: { ...saved.portal.services, ingredients: ingredientsId !== null },
    },
  }
}
