import type { MachineKind } from '#simulator/plan.ts'

/** A product with its price in major units of each merchant's currency (euro, peso, koruna), and its popularity. */
type Product = {
  code: string
  it: string
  es: string
  en: string
  prices: readonly [eur: number, mxn: number, czk: number]
  weight: number
}

const product = (code: string, it: string, es: string, en: string, prices: Product['prices'], weight: number) => ({
  code,
  it,
  es,
  en,
  prices,
  weight,
})

export const products: Record<MachineKind, readonly Product[]> = {
  hot: [
    product('C01', 'Caffè espresso', 'Café expreso', 'Espresso', [0.6, 14, 16], 30),
    product('C02', 'Caffè lungo', 'Café americano', 'Long coffee', [0.6, 14, 16], 11),
    product('C03', 'Caffè macchiato', 'Café cortado', 'Macchiato', [0.65, 15, 18], 14),
    product('C04', 'Cappuccino', 'Capuchino', 'Cappuccino', [0.75, 17, 20], 16),
    product('C05', 'Latte macchiato', 'Café con leche', 'Latte macchiato', [0.75, 17, 20], 8),
    product('C06', 'Ginseng', 'Café moka', 'Mocha', [0.8, 18, 22], 7),
    product('C07', 'Cioccolata', 'Chocolate caliente', 'Hot chocolate', [0.75, 17, 20], 6),
    product('C08', 'Tè al limone', 'Té de limón', 'Lemon tea', [0.6, 13, 15], 4),
    product('C09', 'Decaffeinato', 'Descafeinado', 'Decaf', [0.65, 15, 18], 4),
    product('C10', 'Caffè d’orzo', 'Café de olla', 'Barley coffee', [0.65, 15, 18], 3),
  ],
  snack: [
    product('S11', 'Patatine classiche', 'Papas clásicas', 'Crisps', [1.2, 22, 28], 12),
    product('S12', 'Taralli', 'Totopos', 'Crackers', [1, 20, 24], 8),
    product('S13', 'Croissant', 'Pan dulce', 'Croissant', [1.1, 18, 25], 11),
    product('S14', 'Barretta al cioccolato', 'Barra de chocolate', 'Chocolate bar', [1.2, 21, 26], 13),
    product('S15', 'Wafer alla nocciola', 'Galletas de avellana', 'Hazelnut wafers', [1, 19, 23], 9),
    product('S16', 'Cracker integrali', 'Galletas integrales', 'Wholegrain crackers', [0.9, 17, 21], 6),
    product('S17', 'Frutta secca', 'Nueces', 'Nuts', [1.5, 28, 34], 5),
    product('S18', 'Barretta ai cereali', 'Barra de cereal', 'Cereal bar', [1.2, 20, 26], 7),
    product('S19', 'Gomme alla menta', 'Chicles de menta', 'Mint gum', [1.3, 19, 27], 4),
    product('S21', 'Tramezzino al tonno', 'Sándwich de atún', 'Tuna sandwich', [2.5, 45, 55], 6),
    product('S22', 'Panino al prosciutto', 'Sándwich de jamón', 'Ham sandwich', [2.8, 48, 59], 6),
    product('S23', 'Acqua naturale 0,5 l', 'Agua natural 600 ml', 'Still water 0.5 l', [0.6, 12, 18], 18),
    product('S24', 'Acqua frizzante 0,5 l', 'Agua mineral 600 ml', 'Sparkling water 0.5 l', [0.6, 14, 18], 9),
    product('S25', 'Tè freddo alla pesca', 'Té helado de durazno', 'Peach ice tea', [1.4, 22, 32], 7),
  ],
  cold: [
    product('D31', 'Acqua naturale 0,5 l', 'Agua natural 600 ml', 'Still water 0.5 l', [0.6, 12, 18], 26),
    product('D32', 'Acqua frizzante 0,5 l', 'Agua mineral 600 ml', 'Sparkling water 0.5 l', [0.6, 14, 18], 13),
    product('D33', 'Cola 0,33 l', 'Refresco de cola 355 ml', 'Cola 0.33 l', [1.3, 20, 30], 18),
    product('D34', 'Cola zero 0,33 l', 'Refresco sin azúcar 355 ml', 'Cola zero 0.33 l', [1.3, 20, 30], 12),
    product('D35', 'Aranciata 0,33 l', 'Refresco de naranja 355 ml', 'Orangeade 0.33 l', [1.3, 20, 30], 9),
    product('D36', 'Tè freddo al limone', 'Té helado de limón', 'Lemon ice tea', [1.4, 22, 32], 11),
    product('D37', 'Succo di pera', 'Jugo de mango', 'Apple juice', [1.2, 19, 28], 6),
    product('D38', 'Bevanda energetica', 'Bebida energética', 'Energy drink', [2.2, 38, 45], 7),
    product('D39', 'Latte e cacao', 'Leche con chocolate', 'Chocolate milk', [1.5, 24, 34], 4),
  ],
}
