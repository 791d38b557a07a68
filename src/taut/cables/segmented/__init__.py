"""The segmented cable: rigid segments with stretch, bend and twist as regularised constraints (paper 1)."""
