"""Goods and their classes, sources of points, and what happens by itself."""

from __future__ import annotations

HARVEST = ("olive", "grain", "grape")
RESOURCES = (*HARVEST, "pig")
UPGRADED = ("food", "wine", "meat")
GOODS = (*RESOURCES, *UPGRADED, "silver", "commodity", "vp")
FARM_GOODS = (*RESOURCES, *UPGRADED, "silver", "vp")
DELIVERABLE = (*RESOURCES, *UPGRADED, "silver", "commodity")
CLASSES = {"harvest": HARVEST, "harvest_different": HARVEST, "resource": RESOURCES, "upgraded": UPGRADED}
BECOMES = {"olive": "food", "grain": "food", "grape": "wine", "pig": "meat"}
ON_FIELD = {good: f"field_{good}" for good in HARVEST}
STOCK = (*GOODS, *ON_FIELD.values())
MARKED = (*RESOURCES, *UPGRADED, "commodity", *ON_FIELD.values())  # every unit of these is a player marker (L1)
SOURCES_OF_POINTS = (
    "barrow",
    "market_round",
    "market_removal",
    "building",
    "first",
    "unlock",
    "siesta",
    "roof",
    "craft",
    "helper",
    "roof_effect",
    "silver",
    "start",
    "spent",
    "other",
)
GAINS = ("gain", "siesta_vp", "double_roof_vp", "income", "extra_delivery")
